/**
 * What each row of the bank is held for. First a voucher that books it already; then the documents it pays, the row of
 * another account it meets, the row it takes back, and what such rows mean. Rows are held against each other too: what one
 * pays is not there for the next. Nothing is booked here, and nothing is exact that a person could read otherwise.
 */
import { daysBetween } from '../../basics/dates.ts';
import { sum } from '../../basics/money.ts';
import { Documents } from './documents.ts';
import { incomeTaxAccount, isTaxPayment, knownKindOf } from './known-kinds.ts';
import { type PaymentMarks, paymentsOf, spelledOnce } from './marks.ts';
import type {
  EarlierRow,
  Match,
  MatchDifference,
  MatchPayout,
  MatchRule,
  MatchTarget,
  MatchWorld,
  NoMatchReason,
  UnmatchedRow,
} from './match.ts';
import { folded, namesParty, wordsOf } from './names.ts';
import { type Paid, type PaidOrNot, whatIsPaid } from './paying.ts';
import { customersCredit } from './posting.ts';
import { matchSettlements } from './settlements.ts';
import { matchVouchers } from './vouchers.ts';

/** By row; every row has one. Rows are taken by their day, and of a day by id. */
export function matchRows(world: MatchWorld): ReadonlyMap<string, Match> {
  return new Matching(world).matches;
}

/** A row with what it says. */
interface ReadRow extends UnmatchedRow {
  readonly marks: readonly PaymentMarks[];
}

class Matching {
  readonly matches = new Map<string, Match>();
  readonly #world: MatchWorld;
  readonly #documents: Documents;
  readonly #rows: readonly ReadRow[];
  /** Rows that a voucher of the same amount stands beside. */
  readonly #near: ReadonlySet<string>;

  constructor(world: MatchWorld) {
    this.#world = world;
    this.#documents = new Documents(world.documents, world.payouts);
    const own = new Set(world.own.accounts.flatMap(({ numbers }) => numbers.map(spelledOnce)));
    this.#rows = world.rows
      .map((row) => ({ ...row, marks: paymentsOf(row, own) }))
      .sort((a, b) => (a.day + a.id < b.day + b.id ? -1 : 1));
    const { matches, near } = matchVouchers(this.#rows, world.vouchers);
    this.matches = matches;
    this.#near = near;
    this.#returns();
    this.#namedPayments();
    this.#namedPayouts();
    this.#sumsOfFiles();
    this.#settlements(true);
    this.#transfers();
    this.#rules((rule) => !rule.isLearnt);
    this.#knownKinds();
    this.#otherPayments();
    this.#credits();
    this.#settlements(false);
    this.#rules((rule) => rule.isLearnt);
    this.#incomeTax();
    this.#bookOnce();
    this.#unmatched();
    this.#doubtUndone();
  }

  get #left(): ReadRow[] {
    return this.#rows.filter(({ id }) => !this.matches.has(id));
  }

  #returns(): void {
    const returned = this.#left.filter(({ marks }) => marks.some(({ isReturned }) => isReturned));
    for (const row of returned) {
      const earlier = this.#world.earlier.filter((one) => isTakenBack(one, row));
      const named = earlier.filter((one) => isNamed(one, row));
      const [only, ...others] = named.length > 0 ? named : earlier;
      if (only && others.length === 0) {
        const target = { kind: 'return', earlierId: only.id } as const;
        this.matches.set(row.id, { certainty: 'likely', score: 90, reasons: ['returned'], target });
      } else {
        const reason = only ? 'several_fit' : 'nothing_fits';
        this.matches.set(row.id, { certainty: 'none', reason });
      }
    }
  }

  /** What the payer named, in the order that the rows came: the first payment of a document is the first. */
  #namedPayments(): void {
    for (const row of this.#left) {
      const paid = this.#paidBy(row);
      if (typeof paid === 'string' || !isNaming(paid)) continue;
      this.#documents.take(paid.parts);
      // What a voucher nearby may have booked, or what came before its invoice, is not booked without a person.
      const isDoubtful =
        this.#near.has(row.id) ||
        paid.parts.some((part) => this.#documents.isIssuedAfter(part, row.day));
      const certainty = isDoubtful ? 'likely' : paid.certainty;
      this.matches.set(row.id, matchOf({ ...paid, certainty }));
    }
  }

  /** Tax that files have paid, by our names of the payments; and what was asked for together, by our name of the batch. */
  #namedPayouts(): void {
    const { payouts } = this.#world;
    const taxes = new Map(
      payouts.filter(({ parts }) => parts.length === 0).map((one) => [one.name, one] as const),
    );
    const batches = Map.groupBy(payouts, ({ blockId }) => blockId);
    for (const row of this.#left) {
      const names = row.marks.flatMap(({ endToEndIds }) => endToEndIds);
      const [batch, ...others] = new Set(row.marks.map(({ batchId }) => batchId));
      const named = names.map((name) => taxes.get(name)).filter((one) => one !== undefined);
      const ofBatch = names.length === 0 && others.length === 0 ? batches.get(batch ?? '') : null;
      const areNamed = names.length === row.marks.length && named.length === names.length;
      const found = areNamed ? [...new Set(named)] : (ofBatch ?? []);
      const target = this.#payoutsOf(row, found);
      if (target === null) continue;
      const certainty = this.#near.has(row.id) ? 'likely' : 'exact';
      const reasons = [areNamed ? 'end_to_end_id' : 'payment_batch', 'whole_amount'] as const;
      this.matches.set(row.id, { certainty, score: 100, reasons, target });
      for (const { name } of found) taxes.delete(name);
      batches.delete(batch ?? '');
    }
  }

  /** The row as just these payments, when they come to it and all that they pay is open; it is then taken. */
  #payoutsOf(row: ReadRow, some: readonly MatchPayout[]): MatchTarget | null {
    const isWhole =
      some.length > 0 &&
      sum(some.map(({ amountOre }) => amountOre)) === row.amountOre &&
      some.every((one) => one.accountId === row.accountId && this.#documents.isWholeOpen(one));
    if (!isWhole) return null;
    const target = targetOf(some);
    if (target.kind === 'documents') this.#documents.take(target.parts);
    return target;
  }

  /** A row that names no payment, of the sum of one that was sent, or of a block that the bank has booked as one. */
  #sumsOfFiles(): void {
    const taken = new Set(
      [...this.matches.values()].flatMap((match) =>
        match.certainty !== 'none' && 'payoutIds' in match.target
          ? (match.target.payoutIds ?? [])
          : [],
      ),
    );
    const sent = this.#world.payouts.filter(({ id, isSent }) => isSent && !taken.has(id));
    const blocks = [...Map.groupBy(sent, ({ blockId }) => blockId).values()];
    const wholes = [...sent.map((one) => [one]), ...blocks.filter((some) => some.length > 1)];
    const rows = this.#left.filter(
      ({ marks, amountOre }) =>
        amountOre < 0n && marks.every((one) => one.endToEndIds.length === 0),
    );
    const fits = (row: ReadRow, some: readonly MatchPayout[]): boolean =>
      isMade(some, row) && sum(some.map(({ amountOre }) => amountOre)) === row.amountOre;
    for (const row of rows) {
      const [only, ...others] = wholes.filter((some) => fits(row, some));
      if (!only || others.length > 0 || rows.some((other) => other !== row && fits(other, only))) {
        continue;
      }
      const target = this.#payoutsOf(row, only);
      if (target === null) continue;
      const reasons = ['payment_file', 'whole_amount'] as const;
      this.matches.set(row.id, { certainty: 'likely', score: 80, reasons, target });
    }
  }

  /** What providers have said that they pay out: named by the row, or of its amount alone. */
  #settlements(areNamed: boolean): void {
    const taken = new Set(
      [...this.matches.values()].flatMap((match) =>
        match.certainty !== 'none' && match.target.kind === 'settlement'
          ? match.target.settlementId
          : [],
      ),
    );
    const waiting = this.#world.settlements.filter(({ id }) => !taken.has(id));
    const found = matchSettlements(
      this.#left,
      waiting,
      (degree) => (degree !== 'only_amount') === areNamed,
    );
    for (const [id, match] of found) {
      const isDoubtful = match.certainty === 'exact' && this.#near.has(id);
      this.matches.set(id, isDoubtful ? { ...match, certainty: 'likely' } : match);
    }
  }

  /**
   * What the party or the amount tells of; the surest first. Of rows that are equally sure of a document none is held for
   * it, and less sure ones are asked again for what is then left.
   */
  #otherPayments(): void {
    for (let isSettling = true; isSettling; ) {
      const claims = this.#left
        .map((row) => ({ row, paid: this.#paidBy(row) }))
        .filter((one): one is Claim => typeof one.paid !== 'string');
      const byDocument = Map.groupBy(
        claims.flatMap((claim) =>
          claim.paid.parts.map(({ documentId }) => ({ documentId, claim })),
        ),
        ({ documentId }) => documentId,
      );
      const settled = claims
        .map((claim) => {
          const rivals = claim.paid.parts
            .flatMap(({ documentId }) => byDocument.get(documentId) ?? [])
            .map((one) => one.claim)
            .filter((other) => other !== claim);
          return { claim, outcome: outcomeAmong(claim, rivals) };
        })
        .filter(({ outcome }) => outcome !== 'waits');
      for (const { claim, outcome } of settled) {
        if (outcome === 'holds') this.#documents.take(claim.paid.parts);
        const match = outcome === 'holds' ? matchOf(claim.paid) : noMatch('several_fit');
        this.matches.set(claim.row.id, match);
      }
      isSettling = settled.length > 0;
    }
  }

  /** What a row pays: all of its payments, or none. */
  #paidBy({ marks, amountOre, day, code, text }: ReadRow): PaidOrNot {
    const isAbroad = /XBCT|ESCT/.test(code ?? '') || /utland/i.test(text);
    const [only, ...others] = marks;
    if (!only) return 'nothing_fits';
    if (others.length === 0) {
      // Its only detail is of another sum: not all of the row is told of, but for what a bank abroad has kept.
      const isWhole = only.amountOre === null || only.amountOre === amountOre || isAbroad;
      if (!isWhole) return 'partly_known';
      return whatIsPaid(this.#documents, { marks: only, amountOre, day, isAbroad });
    }
    const amounts = marks.map((one) => one.amountOre);
    if (amounts.includes(null)) return 'lump_without_details';
    if (sum(amounts.map((ore) => ore ?? 0n)) !== amountOre) return 'partly_known';
    const found: Paid[] = [];
    for (const one of marks) {
      const payment = { marks: one, amountOre: one.amountOre ?? 0n, day, isAbroad };
      const paid = whatIsPaid(this.#documents, payment);
      // Of many, an amount says too little.
      if (typeof paid === 'string' || paid.reasons.includes('only_amount')) continue;
      // Two payments of one row do not pay the same.
      this.#documents.take(paid.parts);
      found.push(paid);
    }
    this.#documents.giveBack(found.flatMap(({ parts }) => parts));
    if (found.length === 0) return 'lump_without_details';
    return found.length < marks.length ? 'partly_known' : together(found);
  }

  /** What a customer paid too much goes back: whole, to just the one who is named. */
  #credits(): void {
    const waiting = new Set(this.#world.credits);
    for (const row of this.#left) {
      const [only, ...others] = [...waiting].filter(
        ({ name, amountOre }) =>
          amountOre === row.amountOre && row.marks.every((one) => namesOther(one, name)),
      );
      if (!only || others.length > 0) continue;
      waiting.delete(only);
      const of = { account: customersCredit, ruleId: null, counterparty: only.name };
      const target = { kind: 'account', ...of } as const;
      const reasons = ['payer_name', 'whole_amount'] as const;
      this.matches.set(row.id, { certainty: 'likely', score: 60, reasons, target });
    }
  }

  /** Rows of two accounts of ours that meet: one says that it is a transfer, or names the other's account. */
  #transfers(): void {
    const rows = this.#left;
    const byAmount = Map.groupBy(rows, ({ amountOre }) => amountOre);
    const othersOf = (row: ReadRow): ReadRow[] =>
      (byAmount.get(-row.amountOre) ?? []).filter(
        (other) =>
          other.accountId !== row.accountId &&
          Math.abs(daysBetween(other.day, row.day)) <= transferDays &&
          (saysTransfer(row) || saysTransfer(other) || this.#nameEachOther(row, other)),
      );
    for (const row of rows) {
      const [other, ...more] = othersOf(row);
      if (!other) continue;
      if (more.length > 0 || othersOf(other).length > 1) {
        this.matches.set(row.id, noMatch('several_fit'));
        continue;
      }
      const [score, reasons] = this.#nameEachOther(row, other)
        ? ([90, ['opposite_row', 'own_account']] as const)
        : ([80, ['opposite_row']] as const);
      const target = { kind: 'transfer', rowId: other.id } as const;
      this.matches.set(row.id, { certainty: 'likely', score, reasons, target });
    }
  }

  /**
   * Money between two accounts of ours is booked by one of its two rows, each against the other's account: by what a file
   * paid, or else by the first. The other has that voucher then.
   */
  #bookOnce(): void {
    const booked = this.#rows.flatMap((row) => {
      const match = this.matches.get(row.id);
      const isAccount = match && match.certainty !== 'none' && match.target.kind === 'account';
      return isAccount ? [{ row, target: match.target }] : [];
    });
    const byAmount = Map.groupBy(booked, ({ row }) => row.amountOre);
    const paired = new Set<string>();
    // What a file paid chooses first.
    const isOfFile = ({ target }: (typeof booked)[number]): boolean =>
      'payoutIds' in target && target.payoutIds !== undefined;
    for (const one of [...booked.filter(isOfFile), ...booked.filter((some) => !isOfFile(some))]) {
      if (paired.has(one.row.id)) continue;
      const other = (byAmount.get(-one.row.amountOre) ?? []).find(
        ({ row, target }) =>
          !paired.has(row.id) &&
          'account' in target &&
          'account' in one.target &&
          target.account === one.row.ledgerAccount &&
          one.target.account === row.ledgerAccount &&
          Math.abs(daysBetween(row.day, one.row.day)) <= transferDays,
      );
      if (!other) continue;
      paired.add(one.row.id).add(other.row.id);
      this.matches.set(other.row.id, noMatch('booked_by_other'));
    }
  }

  #nameEachOther(one: ReadRow, other: ReadRow): boolean {
    return this.#namesAccountOf(one, other) || this.#namesAccountOf(other, one);
  }

  #namesAccountOf({ marks }: ReadRow, { accountId }: ReadRow): boolean {
    const own = this.#world.own.accounts.find((one) => one.accountId === accountId);
    const known = new Set((own?.numbers ?? []).map(spelledOnce));
    return marks.some(({ accounts, numbers }) =>
      [...accounts, ...numbers].some((one) => known.has(one)),
    );
  }

  #rules(isMeant: (rule: MatchRule) => boolean): void {
    const rules = this.#world.rules.filter(isMeant);
    for (const row of this.#left) {
      const ofRow = longest(rules.filter((rule) => isRuled(row, rule)));
      const [rule] = ofRow;
      if (!rule) continue;
      const isOne = ofRow.every(({ account }) => account === rule.account);
      const reasons = [rule.isLearnt ? 'learnt_rule' : 'rule'] as const;
      const target = { kind: 'account', account: rule.account, ruleId: rule.id } as const;
      const score = rule.isLearnt ? 45 : 75;
      this.matches.set(
        row.id,
        isOne ? { certainty: 'likely', score, reasons, target } : noMatch('several_fit'),
      );
    }
  }

  #knownKinds(): void {
    for (const row of this.#left) {
      const known = isTaxPayment(row) ? taxPayment : knownKindOf(row);
      if (!known) continue;
      const target = { kind: 'account', account: known.account, ruleId: null } as const;
      const reasons = [known.reason];
      this.matches.set(row.id, { certainty: 'likely', score: 70, reasons, target });
    }
  }

  /** After what such rows were booked as before: a company may have an account of its own for it. */
  #incomeTax(): void {
    const { organizationNumber } = this.#world.own;
    if (organizationNumber === null) return;
    for (const row of this.#left) {
      const account = incomeTaxAccount(row, organizationNumber);
      if (account === null || account === row.ledgerAccount) continue;
      const target = { kind: 'account', account, ruleId: null } as const;
      this.matches.set(row.id, {
        certainty: 'likely',
        score: 40,
        reasons: ['tax_account'],
        target,
      });
    }
  }

  #unmatched(): void {
    for (const row of this.#left) {
      const paid = this.#paidBy(row);
      this.matches.set(row.id, noMatch(typeof paid === 'string' ? paid : 'several_fit'));
    }
  }

  /** What a person has taken back is not booked again without one. */
  #doubtUndone(): void {
    for (const { id, wasUndone } of this.#rows) {
      const match = this.matches.get(id);
      if (!wasUndone || match?.certainty !== 'exact') continue;
      this.matches.set(id, { ...match, certainty: 'likely' });
    }
  }
}

const namesOther = ({ name, words }: PaymentMarks, other: string): boolean =>
  namesParty(name === null ? words : wordsOf(name), other);

/** A row that could pay something. */
interface Claim {
  readonly row: ReadRow;
  readonly paid: Paid;
}

/** What becomes of a row beside others that could pay the same. */
function outcomeAmong({ paid }: Claim, rivals: readonly Claim[]): 'holds' | 'waits' | 'none' {
  if (rivals.some((other) => other.paid.score > paid.score)) return 'waits';
  return rivals.every((other) => other.paid.score < paid.score) ? 'holds' : 'none';
}

const naming: ReadonlySet<string> = new Set([
  'end_to_end_id',
  'ocr',
  'reference',
  'document_number',
]);

/** Whether the payer said which document is meant. */
const isNaming = ({ reasons }: Paid): boolean => reasons.some((reason) => naming.has(reason));

const noMatch = (reason: NoMatchReason): Match => ({ certainty: 'none', reason });

const matchOf = ({ certainty, score, reasons, parts, difference, payoutIds }: Paid): Match => ({
  certainty,
  score,
  reasons,
  target: { kind: 'documents', parts, difference, ...(payoutIds ? { payoutIds } : {}) },
});

/** What payments of a file are booked as: all of documents, or all of tax (their blocks are). */
function targetOf(
  payouts: readonly MatchPayout[],
): MatchTarget & { kind: 'documents' | 'account' } {
  const payoutIds = payouts.map(({ id }) => id);
  const parts = payouts.flatMap((one) => one.parts);
  return parts.length === 0
    ? { kind: 'account', account: taxPayment.account, ruleId: null, payoutIds }
    : { kind: 'documents', parts, difference: null, payoutIds };
}

/** A bank makes what it was asked for on the day, or some days later when the day was none of its own. */
const paidWithinDays = 7;

const isMade = (some: readonly MatchPayout[], { accountId, day }: UnmatchedRow): boolean =>
  some.every(
    (one) =>
      one.accountId === accountId &&
      one.executionOn <= day &&
      daysBetween(one.executionOn, day) <= paidWithinDays,
  );

/** All payments of a row as one: as sure as the least sure of them. */
function together(found: readonly Paid[]): PaidOrNot {
  const differences = found.map(({ difference }) => difference).filter((one) => one !== null);
  const kinds = new Set(differences.map(({ kind }) => kind));
  const parts = found.flatMap((one) => one.parts);
  // Customers' and suppliers' documents are settled by vouchers of their own.
  const areOfBoth = new Set(parts.map((part) => part.kind)).size > 1;
  if (kinds.size > 1 || areOfBoth) return 'partly_known';
  const payoutIds = found.flatMap((one) => one.payoutIds ?? []);
  return {
    certainty: found.every(({ certainty }) => certainty === 'exact') ? 'exact' : 'likely',
    score: Math.min(...found.map(({ score }) => score)),
    reasons: [...new Set(found.flatMap(({ reasons }) => reasons))],
    parts,
    difference: differenceOf(differences),
    ...(payoutIds.length > 0 ? { payoutIds } : {}),
  };
}

/** Differences of one kind as one; what several are to have back goes by whom. */
function differenceOf(differences: readonly MatchDifference[]): MatchDifference | null {
  const [first] = differences;
  const amountOre = sum(differences.map((one) => one.amountOre));
  if (!first || amountOre === 0n) return null;
  if (first.kind !== 'credit') return { kind: first.kind, amountOre };
  const owed = differences.flatMap((one) => (one.kind === 'credit' ? one.owedTo : []));
  const owedTo = [...Map.groupBy(owed, ({ name }) => name)].map(([name, some]) => ({
    name,
    amountOre: sum(some.map((one) => one.amountOre)),
  }));
  return { kind: 'credit', amountOre, owedTo };
}

/** A payment comes back within so many days. */
export const returnDays = 40;

const isTakenBack = (earlier: EarlierRow, row: UnmatchedRow): boolean =>
  earlier.accountId === row.accountId &&
  earlier.amountOre === -row.amountOre &&
  earlier.day <= row.day &&
  daysBetween(earlier.day, row.day) <= returnDays;

function isNamed({ endToEndIds, text }: EarlierRow, { marks }: ReadRow): boolean {
  const words = new Set(wordsOf(text));
  return marks.some(
    (one) =>
      one.endToEndIds.some((id) => endToEndIds.includes(id)) ||
      one.words.some((word) => words.has(word)) ||
      [...one.numbers].some((number) => number.length >= 4 && spelledOnce(text).includes(number)),
  );
}

/** Own money is on the way for no more days, with a week-end within. */
const transferDays = 5;

const saysTransfer = ({ text, accountKind, ...row }: UnmatchedRow): boolean =>
  /\b(överf|overf)|egen insättning|\bsparkonto\b/i.test(text) ||
  (accountKind === 'tax' && /^(inbetalning|utbetalning)/i.test(text)) ||
  isTaxPayment({ text, accountKind, ...row });

const taxPayment = { account: 1630, reason: 'tax_account' } as const;

function isRuled({ amountOre, text, ledgerAccount }: UnmatchedRow, rule: MatchRule): boolean {
  if (rule.account === ledgerAccount) return false;
  const isThatWay = rule.direction === null || (rule.direction === 'in') === amountOre > 0n;
  return isThatWay && plain(text).startsWith(plain(rule.text));
}

const plain = (text: string): string => folded(text).replace(/\s+/g, ' ').trim();

/** What says most of the text is meant. */
function longest(rules: readonly MatchRule[]): MatchRule[] {
  const most = Math.max(...rules.map(({ text }) => plain(text).length));
  return rules.filter(({ text }) => plain(text).length === most);
}
