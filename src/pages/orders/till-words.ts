/** What people read of tills' reports: how each stands, and what can be done about one that stopped. */
import { type TillRejection, tillRejectionMeanings } from '../../domain/sales/till-rejections.ts';
import type { ListedTillReport } from '../../intake/till-reports/inbox-store.ts';
import type { Chip } from './order-words.ts';

interface Words {
  readonly name: string;
  readonly wayOut: string;
}

const resend =
  'Be den som skickade rapporten att rätta den och skicka den igen med samma nummer; då bokförs den av sig själv.';
const byHand = 'Bokför annars dagen för hand, och avvisa rapporten.';
const accounts = 'Inställningar › Företaget › Kassans konton';

const words: Readonly<Record<TillRejection, Words>> = {
  invalid_report: { name: 'Går inte att läsa', wayOut: `${resend} ${byHand}` },
  sums_differ: { name: 'Summorna stämmer inte', wayOut: `${resend} ${byHand}` },
  report_differs: {
    name: 'Annat innehåll',
    wayOut:
      'Ta reda på vilken som är kassans egen. Är det den bokförda, avvisa den här; annars tas det verifikatet tillbaka med en rättelse, och den här prövas igen.',
  },
  date_in_future: { name: 'Framtida datum', wayOut: `Försök igen när dagen har kommit. ${resend}` },
  date_outside_fiscal_year: {
    name: 'Utanför räkenskapsåren',
    wayOut: 'Lägg upp räkenskapsåret och försök igen, eller be avsändaren rätta datumet.',
  },
  means_unknown: { name: 'Konto saknas', wayOut: `Säg kontot under ${accounts}, och försök igen.` },
  account_missing: {
    name: 'Kontot går inte att använda',
    wayOut: `Lägg upp, aktivera eller rätta kontot i kontoplanen, eller välj ett annat under ${accounts}. Försök sedan igen.`,
  },
  period_locked: {
    name: 'Låst dag',
    wayOut:
      'Lås upp perioden och försök igen om det går. Är den stängd eller momsen lämnad bokförs dagen för hand i en öppen period, och rapporten avvisas.',
  },
  voucher_refused: {
    name: 'Går inte att bokföra',
    wayOut: `Rätta det som står, och försök igen. ${byHand}`,
  },
  taken_back: {
    name: 'Tillbakatagen',
    wayOut: 'Försök igen, så bokförs den på nytt, eller avvisa den.',
  },
};

/** Why a report stopped, as it is stored. */
export function tillRejectionWords(reason: string): Words & { readonly sentence: string } {
  const known = Object.hasOwn(words, reason) ? (reason as TillRejection) : undefined;
  return known === undefined
    ? { name: reason, wayOut: byHand, sentence: 'Rapporten stoppades.' }
    : { ...words[known], sentence: tillRejectionMeanings[known] };
}

type Standing = Pick<ListedTillReport, 'status' | 'is_stuck' | 'reason' | 'voucher'>;

export function tillChip({ status, is_stuck: isStuck }: Standing): Chip {
  switch (status) {
    case 'posted':
      return { tone: 'good', text: 'Bokförd' };
    case 'empty':
      return { tone: 'good', text: 'Inget att bokföra' };
    case 'stopped':
      return { tone: 'bad', text: 'Stoppad' };
    case 'dismissed':
      return { tone: '', text: 'Avvisad' };
    default:
      return isStuck ? { tone: 'warn', text: 'Har fastnat' } : { tone: 'info', text: 'Prövas' };
  }
}

/** One sentence about a report in a list. */
export function tillSentence({ status, is_stuck: isStuck, reason, voucher }: Standing): string {
  switch (status) {
    case 'posted':
      return `Verifikat ${voucher ?? ''}.`;
    case 'empty':
      return 'Kassan hade inget att redovisa den dagen.';
    case 'stopped':
      return tillRejectionWords(reason ?? '').sentence;
    case 'dismissed':
      return reason === 'replaced' ? 'Kom igen rättad, och den gäller.' : 'Ska inte bokföras.';
    default:
      return isStuck
        ? 'Mottagen men inte prövad inom fem minuter; försök igen.'
        : 'Mottagen, och prövas just nu.';
  }
}
