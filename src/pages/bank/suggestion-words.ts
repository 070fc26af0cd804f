/** What a bank row may be, in words for people. */
import type { Suggested, Suggestion } from '../../bank/matching/service.ts';
import type { Db } from '../../db/pool.ts';
import type {
  MatchDifference,
  MatchReason,
  MatchTarget,
  NoMatchReason,
} from '../../domain/ledger/bank-matching/match.ts';
import { listUsableAccounts } from '../../ledger/accounts/store.ts';
import { kronor } from '../format.ts';

const reasonWords: Readonly<Record<MatchReason, string>> = {
  end_to_end_id: 'vårt namn på betalningen',
  payment_batch: 'namnet på en av våra betalningsgrupper',
  payment_file: 'summan i en sänd betalfil',
  settlement_number: 'avräkningens nummer',
  provider_name: 'betaltjänstens namn',
  ocr: 'OCR-numret',
  reference: 'OCR-numret i texten',
  document_number: 'fakturanumret',
  number_in_text: 'numret i texten',
  payer_account: 'kontot',
  payer_name: 'namnet',
  phone: 'telefonnumret',
  whole_amount: 'hela beloppet',
  part_amount: 'en del av beloppet',
  several_documents: 'flera tillsammans',
  only_amount: 'bara beloppet',
  rounded: 'beloppet på öret när',
  fee_deducted: 'beloppet med avgift avdragen',
  exchange_rate: 'beloppet så när som på kursen',
  paid_too_much: 'mer än det som är öppet',
  paid_before: 'redan betald',
  day_near: 'nära i tid',
  opposite_row: 'motsvarande rad på det andra kontot',
  own_account: 'kontonumret',
  returned: 'betalningen kom tillbaka',
  tax_account: 'skatt',
  bank_charge: 'bankens avgift',
  interest: 'ränta',
  rule: 'er regel',
  learnt_rule: 'bokfört så tidigare',
};

const noMatchWords: Readonly<Record<NoMatchReason, string>> = {
  several_fit: 'Flera passar lika bra',
  lump_without_details: 'Flera betalningar i en, och banken säger inte vilka',
  partly_known: 'En del av betalningarna i raden känns inte igen',
  booked_by_other: 'Motsvarande rad på det andra kontot bokför den: godkänn den först',
  nothing_fits: '',
};

export interface SuggestionWords {
  /** What it may be; empty when nothing. */
  readonly what: string;
  readonly href: string | null;
  /** Why, or why not. */
  readonly why: string;
  readonly isExact: boolean;
  /** What a form sends to say yes to it; null when there is nothing to say yes to. */
  readonly approval: string | null;
}

/** With the names of accounts that rows may be booked on. */
export async function suggestionSpeaker(
  db: Db,
  suggested: Suggested,
): Promise<(rowId: string) => SuggestionWords | null> {
  const isOfAccounts = [...suggested.suggestions.values()].some(
    ({ match }) => match.certainty !== 'none' && match.target.kind === 'account',
  );
  const accounts = isOfAccounts ? await listUsableAccounts(db) : [];
  const names = new Map(accounts.map(({ number, name }) => [number, name]));
  return (rowId) => {
    const suggestion = suggested.suggestions.get(rowId);
    return suggestion ? suggestionWords(suggestion, { ...suggested, names }) : null;
  };
}

interface Named extends Suggested {
  readonly names: ReadonlyMap<number, string>;
}

function suggestionWords({ row, match, digest }: Suggestion, suggested: Named): SuggestionWords {
  if (match.certainty === 'none') {
    const why = noMatchWords[match.reason];
    return { what: '', href: null, why, isExact: false, approval: null };
  }
  const { what, href } = targetWords(match.target, row.amountOre, suggested);
  const why = match.reasons.map((reason) => reasonWords[reason]).join(', ');
  const isExact = match.certainty === 'exact';
  return { what, href, why, isExact, approval: `${row.id}~${digest}` };
}

interface Words {
  readonly what: string;
  readonly href: string | null;
}

function targetWords(target: MatchTarget, amountOre: bigint, suggested: Named): Words {
  const { world } = suggested;
  switch (target.kind) {
    case 'voucher': {
      const voucher = world.vouchers.find(({ id }) => id === target.voucherId);
      return {
        what: `Verifikat ${voucher?.day ?? ''}: ${voucher?.text ?? ''}`,
        href: `/verifikat/${target.voucherId}`,
      };
    }
    case 'settlement': {
      const settlement = world.settlements.find(({ id }) => id === target.settlementId);
      return {
        what: `Avräkning ${settlement?.number ?? ''} från ${settlement?.provider ?? ''}`,
        href: `/bank/avrakningar/${target.settlementId}`,
      };
    }
    case 'documents':
      return documentWords(target, suggested);
    case 'transfer': {
      const other = world.rows.find(({ id }) => id === target.rowId);
      const account = other ? suggested.accountNames.get(other.accountId) : undefined;
      const way = amountOre < 0n ? 'till' : 'från';
      return {
        what: `Överföring ${way} ${account ?? 'eget konto'}`,
        href: `/bank/${target.rowId}`,
      };
    }
    case 'return': {
      const earlier = world.earlier.find(({ id }) => id === target.earlierId);
      return {
        what: `Tar tillbaka raden ${earlier?.day ?? ''}: ${earlier?.text ?? ''}`,
        href: `/bank/${target.earlierId}`,
      };
    }
    case 'account':
      return {
        what: [
          `Konto ${target.account} ${suggested.names.get(target.account) ?? ''}`.trim(),
          ...(target.counterparty ? [target.counterparty] : []),
        ].join(', '),
        href: `/kontoplan/${target.account}`,
      };
  }
}

function documentWords(
  { parts, difference }: Extract<MatchTarget, { kind: 'documents' }>,
  { documents }: Suggested,
): Words {
  const named = parts.flatMap(
    ({ kind, documentId }) => documents.get(`${kind} ${documentId}`) ?? [],
  );
  const [first] = named;
  const rest = difference ? differenceWords(difference) : '';
  if (!first)
    return { what: `${owedToWords(difference)} har betalat för mycket${rest}`, href: null };
  const isOurs = first.kind === 'invoice';
  const numbers = named.map(({ number }) => number).join(', ');
  const names = [...new Set(named.map(({ party }) => party.name))].join(', ');
  const word =
    named.length === 1
      ? isOurs
        ? 'Kundfaktura'
        : 'Leverantörsfaktura'
      : `${named.length} ${isOurs ? 'kundfakturor' : 'leverantörsfakturor'}:`;
  const page = isOurs ? '/kundfakturor' : '/leverantorsinkorg';
  return {
    what: `${word} ${numbers}, ${names}${rest}`,
    href: named.length === 1 ? `${page}/${first.id}` : null,
  };
}

const names = new Intl.ListFormat('sv');
const owedToWords = (difference: MatchDifference | null): string =>
  difference?.kind === 'credit' ? names.format(difference.owedTo.map(({ name }) => name)) : 'Kund';

function differenceWords({ kind, amountOre }: MatchDifference): string {
  const amount = kronor(amountOre < 0n ? -amountOre : amountOre);
  return {
    rounding: `, och ${amount} öresutjämning`,
    bank_fee: `, och ${amount} bankavgift`,
    exchange: `, och ${amount} ${amountOre < 0n ? 'kursförlust (7960)' : 'kursvinst (3960)'}`,
    credit: `, och ${amount} att betala tillbaka (2420)`,
  }[kind];
}
