/** What people read of tills' reports: how each stands, and what can be done about one that stopped. */
import { type TillRejection, tillRejectionMeanings } from '../../domain/sales/till-rejections.ts';
import type { ListedTillReport } from '../../intake/till-reports/inbox-store.ts';
import { say, sayOf, translated, worded } from '../../lib/language.ts';
import type { Chip } from './order-words.ts';

interface Words {
  readonly name: string;
  readonly wayOut: string;
}

const resend = worded(
  () =>
    say`Be den som skickade rapporten att rätta den och skicka den igen med samma nummer; då bokförs den av sig själv.`,
);
const byHand = worded(() => say`Bokför annars dagen för hand, och avvisa rapporten.`);
const accounts = worded(() => say`Inställningar › Företaget › Kassans konton`);

const words = worded(
  (): Readonly<Record<TillRejection, Words>> => ({
    invalid_report: { name: say`Går inte att läsa`, wayOut: `${resend()} ${byHand()}` },
    sums_differ: { name: say`Summorna stämmer inte`, wayOut: `${resend()} ${byHand()}` },
    report_differs: {
      name: say`Annat innehåll`,
      wayOut: say`Ta reda på vilken som är kassans egen. Är det den bokförda, avvisa den här; annars tas det verifikatet tillbaka med en rättelse, och den här prövas igen.`,
    },
    date_in_future: {
      name: say`Framtida datum`,
      wayOut: say`Försök igen när dagen har kommit. ${resend()}`,
    },
    date_outside_fiscal_year: {
      name: say`Utanför räkenskapsåren`,
      wayOut: say`Lägg upp räkenskapsåret och försök igen, eller be avsändaren rätta datumet.`,
    },
    means_unknown: {
      name: say`Konto saknas`,
      wayOut: say`Säg kontot under ${accounts()}, och försök igen.`,
    },
    account_missing: {
      name: say`Kontot går inte att använda`,
      wayOut: say`Lägg upp, aktivera eller rätta kontot i kontoplanen, eller välj ett annat under ${accounts()}. Försök sedan igen.`,
    },
    period_locked: {
      name: say`Låst dag`,
      wayOut: say`Lås upp perioden och försök igen om det går. Är den stängd eller momsen lämnad bokförs dagen för hand i en öppen period, och rapporten avvisas.`,
    },
    voucher_refused: {
      name: say`Går inte att bokföra`,
      wayOut: say`Rätta det som står, och försök igen. ${byHand()}`,
    },
    taken_back: {
      name: say`Tillbakatagen`,
      wayOut: say`Försök igen, så bokförs den på nytt, eller avvisa den.`,
    },
  }),
);

/** Why a report stopped, as it is stored. */
export function tillRejectionWords(reason: string): Words & { readonly sentence: string } {
  const known = Object.hasOwn(words(), reason) ? (reason as TillRejection) : undefined;
  return known === undefined
    ? { name: reason, wayOut: byHand(), sentence: say`Rapporten stoppades.` }
    : { ...words()[known], sentence: translated(tillRejectionMeanings[known]) };
}

type Standing = Pick<ListedTillReport, 'status' | 'is_stuck' | 'reason' | 'voucher'>;

export function tillChip({ status, is_stuck: isStuck }: Standing): Chip {
  switch (status) {
    case 'posted':
      return { tone: 'good', text: say`Bokförd` };
    case 'empty':
      return { tone: 'good', text: say`Inget att bokföra` };
    case 'stopped':
      return { tone: 'bad', text: say`Stoppad` };
    case 'dismissed':
      return { tone: '', text: sayOf('order')`Avvisad` };
    default:
      return isStuck
        ? { tone: 'warn', text: say`Har fastnat` }
        : { tone: 'info', text: say`Prövas` };
  }
}

/** One sentence about a report in a list. */
export function tillSentence({ status, is_stuck: isStuck, reason, voucher }: Standing): string {
  switch (status) {
    case 'posted':
      return say`Verifikat ${voucher ?? ''}.`;
    case 'empty':
      return say`Kassan hade inget att redovisa den dagen.`;
    case 'stopped':
      return tillRejectionWords(reason ?? '').sentence;
    case 'dismissed':
      return reason === 'replaced'
        ? say`Kom igen rättad, och den gäller.`
        : say`Ska inte bokföras.`;
    default:
      return isStuck
        ? say`Mottagen men inte prövad inom fem minuter; försök igen.`
        : say`Mottagen, och prövas just nu.`;
  }
}
