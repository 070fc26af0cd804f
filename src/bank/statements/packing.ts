/** Entries as they are kept while a whole file is planned: a hundred thousand must not take a gigabyte. */
import {
  type BankEntry,
  type BankEntryDetail,
  type BankParty,
  nobody,
} from '../../domain/ledger/bank-files/statement.ts';

/** Details as one text, which a reader's pieces of text would outgrow many times. */
class PackedEntry implements BankEntry {
  readonly line: number;
  readonly amount: bigint;
  readonly currency: string | null;
  readonly isBooked: boolean;
  readonly isReversal: boolean;
  readonly bookingDate: string | null;
  readonly valueDate: string | null;
  readonly reference: string | null;
  readonly servicerReference: string | null;
  readonly code: string | null;
  readonly text: string | null;
  readonly balanceAfter: bigint | null;
  readonly detailCount: number;
  readonly #details: Buffer | null;

  constructor(entry: BankEntry) {
    this.line = entry.line;
    this.amount = entry.amount;
    this.currency = shared(entry.currency);
    this.isBooked = entry.isBooked;
    this.isReversal = entry.isReversal;
    this.bookingDate = shared(entry.bookingDate);
    this.valueDate = shared(entry.valueDate);
    this.reference = alone(entry.reference);
    this.servicerReference = alone(entry.servicerReference);
    this.code = shared(entry.code);
    this.text = alone(entry.text);
    this.balanceAfter = entry.balanceAfter;
    this.detailCount = entry.detailCount;
    this.#details =
      entry.details.length === 0 ? null : Buffer.from(`[${entry.details.map(toText).join(',')}]`);
  }

  get details(): readonly BankEntryDetail[] {
    if (this.#details === null) return [];
    const packed = JSON.parse(this.#details.toString()) as PackedDetail[];
    return packed.map(({ amount, debtor, creditor, ...rest }) => ({
      ...saysNothing,
      ...rest,
      debtor: { ...nobody, ...debtor },
      creditor: { ...nobody, ...creditor },
      amount: amount === undefined ? null : BigInt(amount),
    }));
  }
}

interface PackedDetail extends Partial<Omit<BankEntryDetail, 'amount' | 'debtor' | 'creditor'>> {
  readonly amount?: string;
  readonly debtor?: Partial<BankParty>;
  readonly creditor?: Partial<BankParty>;
}

const saysNothing = {
  currency: null,
  endToEndId: null,
  paymentBatchId: null,
  transactionId: null,
  servicerReference: null,
  references: [],
  documents: [],
  texts: [],
  returnReason: null,
} as const;

/** Without what it does not say, which is most of it. */
const toText = (detail: BankEntryDetail): string =>
  JSON.stringify(detail, (_, value: unknown) =>
    value === null || (Array.isArray(value) && value.length === 0)
      ? undefined
      : typeof value === 'bigint'
        ? String(value)
        : value,
  );

/** Days, codes and currencies are few. */
const few = new Map<string, string>();
const fewMax = 10_000;
function shared(text: string | null): string | null {
  if (text === null) return null;
  const found = few.get(text);
  if (found !== undefined) return found;
  if (few.size >= fewMax) few.clear();
  const own = alone(text) ?? '';
  few.set(own, own);
  return own;
}

/** Its own characters: a piece of a longer text would keep all of that in memory. */
const alone = (text: string | null): string | null =>
  text === null ? null : Buffer.from(text).toString();

export const packEntry = (entry: BankEntry): BankEntry => new PackedEntry(entry);
