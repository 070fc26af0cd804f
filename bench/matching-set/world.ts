/** What the stories are told with: one world of rows and documents, every name, number and sum its own unless said. */
import type {
  EarlierRow,
  MatchCredit,
  MatchDocument,
  MatchParty,
  MatchPayout,
  MatchRule,
  MatchSettlement,
  MatchVoucher,
  MatchWorld,
  RowPayment,
  UnmatchedRow,
} from '../../src/domain/ledger/bank-matching/match.ts';

const starts =
  'Björk Gran Alm Sten Brant Lind Hassel Norr Söder Älv Ek Rönn Tall Sjö Kvarn Mark'.split(' ');
const ends = 'åsa näs hult torp vik dal fors lunda mora ryd holm bäck'.split(' ');
const trades = [
  'Snickeri AB',
  'Redovisning AB',
  'Livs HB',
  'Måleri AB',
  'Teknik AB',
  'Trycksaker AB',
];

export type Format = 'swedbank' | 'seb' | 'handelsbanken' | 'nordea' | 'lf' | 'camt';
export const formats: readonly Format[] = [
  'swedbank',
  'seb',
  'handelsbanken',
  'nordea',
  'lf',
  'camt',
];

/** Numbers that look drawn by lot and are the same every time (mulberry32). */
export function lots(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

export function ocrOf(digits: string): string {
  let total = 0;
  for (let i = 0; i < digits.length; i++) {
    const doubled = Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 2 : 1);
    total += doubled > 9 ? doubled - 9 : doubled;
  }
  return `${digits}${(10 - (total % 10)) % 10}`;
}

export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** A party that the bank does not name. */
export const nobody = { name: null, account: null, accountKind: null } as const;

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer U)[] ? U[] : T[K] };

export class WorldDraft {
  readonly rows: UnmatchedRow[] = [];
  readonly documents: MatchDocument[] = [];
  readonly payouts: MatchPayout[] = [];
  readonly settlements: MatchSettlement[] = [];
  readonly credits: MatchCredit[] = [];
  readonly vouchers: MatchVoucher[] = [];
  readonly earlier: EarlierRow[] = [];
  readonly rules: MatchRule[] = [];
  readonly lot: (below: number) => number;
  readonly format: Format;
  readonly base: string;
  #names: string[];
  #party = 0;
  #number: number;
  #sums = new Set<number>();

  constructor(seed: number, format: Format) {
    this.lot = lots(seed);
    this.format = format;
    this.base = dayAfter('2026-10-05', this.lot(20));
    this.#number = 2301 + this.lot(5000);
    this.#names = starts.flatMap((a) => ends.map((b) => a + b));
    for (let i = this.#names.length - 1; i > 0; i--) {
      const j = this.lot(i + 1);
      [this.#names[i], this.#names[j]] = [this.#names[j] as string, this.#names[i] as string];
    }
  }

  /** A sum at least three kronor from every other of the world. */
  sum(from = 400, to = 48_000): bigint {
    for (;;) {
      const kronor = from + this.lot(to - from);
      if ([-2, -1, 0, 1, 2].some((d) => this.#sums.has(kronor + d))) continue;
      this.#sums.add(kronor);
      return BigInt(kronor) * 100n + (this.lot(3) === 0 ? BigInt(this.lot(99)) : 0n);
    }
  }

  nextNumber(): string {
    this.#number += 1 + this.lot(3);
    return String(this.#number);
  }

  party(more: Partial<MatchParty> = {}): MatchParty {
    const n = this.#party++;
    const name = `${this.#names[n]} ${trades[this.lot(trades.length)]}`;
    return { id: `party-${n}`, name, accounts: [], phone: null, ...more };
  }

  /** A bankgiro number that nobody else of the world has; its check digit is right. */
  giro(): string {
    return ocrOf(String(5_800_000 + this.#party * 37 + this.lot(30)).slice(0, 7)).slice(0, 8);
  }

  world(): MatchWorld {
    const { rows, payouts, settlements, credits, vouchers, earlier, rules } = this;
    // What is right does not hang on the order that documents happen to stand in.
    const documents = this.documents.toSorted((a, b) => (turned(a.id) < turned(b.id) ? -1 : 1));
    return {
      rows: rows.toSorted((a, b) => a.day.localeCompare(b.day)),
      documents,
      payouts,
      settlements,
      credits,
      vouchers,
      earlier,
      rules,
      own: {
        accounts: [
          { accountId: 'bank', numbers: ['9912346', 'SE4550000000058398257466'] },
          { accountId: 'savings', numbers: ['SE3550000000054910000003'] },
        ],
        organizationNumber: '5560360793',
      },
    };
  }
}

/** An order of its own, the same every time. */
const turned = (id: string): string => [...id].reverse().join('');

type DocumentWish = Partial<Writable<MatchDocument>> & {
  open?: bigint;
  /** How a file of ours names the payment of it, and what is asked for together. */
  tie?: string;
  batch?: string;
};
const ledgerAccounts = { bank: 1930, savings: 1940, tax: 1630 } as const;
type RowWish = Partial<Omit<UnmatchedRow, 'payments'>> & {
  amount: bigint;
  at?: keyof typeof ledgerAccounts;
  after?: number;
  payments?: readonly Partial<RowPayment>[];
};

/** One telling of a story within a world. */
export class Teller {
  readonly draft: WorldDraft;
  readonly instance: string;
  readonly variant: number;
  #rows = 0;
  #tie = 0;

  constructor(draft: WorldDraft, instance: string, variant: number) {
    this.draft = draft;
    this.instance = instance;
    this.variant = variant;
  }

  party(more?: Partial<MatchParty>): MatchParty {
    return this.draft.party(more);
  }
  sum(from?: number, to?: number): bigint {
    return this.draft.sum(from, to);
  }
  day(after = 0): string {
    return dayAfter(this.draft.base, after);
  }

  /** As this world's bank prints a name or a text. */
  cut(text: string): string {
    const { format } = this.draft;
    if (format === 'seb') return text.toUpperCase().slice(0, 12).trim();
    if (format === 'handelsbanken') return text.slice(0, 14).trim();
    return format === 'swedbank' ? text.slice(0, 20).trim() : text;
  }

  invoice(key: string, wish: DocumentWish = {}): MatchDocument {
    const { open = this.sum(), tie, batch = tie, ...more } = wish;
    const number = more.number ?? this.draft.nextNumber();
    const document: MatchDocument = {
      kind: 'invoice',
      id: `${this.instance}.${key}`,
      number,
      reference: ocrOf(number),
      openOre: open,
      totalOre: open,
      currency: 'SEK',
      issuedOn: this.day(-28),
      dueOn: this.day(2),
      party: more.party ?? this.party(),
      ...more,
    };
    this.draft.documents.push(document);
    if (tie !== undefined) {
      const { kind, id, openOre: amountOre } = document;
      this.draft.payouts.push({
        ...{
          id: tie,
          name: tie,
          blockId: batch ?? tie,
          accountId: 'bank',
          executionOn: this.day(0),
        },
        ...{ isSent: false, amountOre, parts: [{ kind, documentId: id, amountOre }] },
      });
    }
    return document;
  }

  /** `open` is what we owe, above zero. */
  purchase(key: string, wish: DocumentWish = {}): MatchDocument {
    const { open = this.sum(), ...more } = wish;
    const number = more.number ?? `F-${this.draft.nextNumber()}`;
    const digits = number.replace(/\D/g, '') || '7';
    return this.invoice(key, {
      kind: 'purchase',
      reference: ocrOf(`7${digits}${this.draft.lot(900) + 100}`),
      ...more,
      number,
      open: -open,
    });
  }

  /** What we called a payment of ours. */
  tie(): string {
    return `HB${this.instance
      .replace(/[^a-z0-9]/g, '')
      .toUpperCase()
      .slice(0, 22)}${++this.#tie}`;
  }

  row(wish: RowWish): UnmatchedRow {
    const { amount, at = 'bank', after = 0, payments = [], ...more } = wish;
    const row: UnmatchedRow = {
      id: `${this.instance}.${this.#rows++}`,
      accountId: at,
      ledgerAccount: ledgerAccounts[at],
      accountKind: at === 'tax' ? 'tax' : 'bank',
      day: this.day(after),
      amountOre: amount,
      text: '',
      code: null,
      isReversal: false,
      ...more,
      payments: payments.map((payment) => ({
        amount: payments.length === 1 ? amount : null,
        endToEndId: null,
        paymentBatchId: null,
        references: [],
        documents: [],
        texts: [],
        debtor: nobody,
        creditor: nobody,
        returnReason: null,
        ...payment,
      })),
    };
    this.draft.rows.push(row);
    return row;
  }

  settlement(
    key: string,
    wish: Pick<MatchSettlement, 'provider' | 'number' | 'amountOre'> & Partial<MatchSettlement>,
  ): void {
    const id = `${this.instance}.${key}`;
    this.draft.settlements.push({ id, reference: null, day: this.day(-1), account: 1686, ...wish });
  }

  voucher(key: string, roomOre: bigint, after: number, text: string): void {
    const id = `${this.instance}.${key}`;
    this.draft.vouchers.push({ id, accountId: 'bank', day: this.day(after), roomOre, text });
  }

  earlier(
    key: string,
    wish: { amount: bigint; text: string; ties?: string[]; paid?: string[] },
  ): void {
    this.draft.earlier.push({
      id: `${this.instance}.${key}`,
      accountId: 'bank',
      day: this.day(-4),
      amountOre: wish.amount,
      text: wish.text,
      endToEndIds: wish.ties ?? [],
      documentIds: wish.paid ?? [],
    });
  }

  rule(key: string, text: string, account: number, isLearnt: boolean): void {
    const id = `${this.instance}.${key}`;
    this.draft.rules.push({ id, text, direction: 'out', account, isLearnt });
  }
}
