/** Invoices that rows can meet, found by what rows say. */
import { absolute, type Ore } from '../../basics/money.ts';
import { type PaymentMarks, phoneDigits, phonesIn, spelledOnce } from './marks.ts';
import type { MatchDocument, MatchPart, MatchParty, MatchPayout } from './match.ts';
import { namesParty, wordsOf } from './names.ts';

/** How a party was known. */
export type PartySign = 'payer_account' | 'payer_name' | 'phone';

/** Documents by their signs. What rows have taken of them is gone from what is open. */
export class Documents {
  readonly #references = new Several<string, MatchDocument>();
  readonly #numbers = new Several<string, MatchDocument>();
  readonly #payouts: ReadonlyMap<string, MatchPayout>;
  readonly #amounts = new Several<Ore, MatchDocument>();
  readonly #ofParty = new Several<string, MatchDocument>();
  readonly #parties = new Map<string, MatchParty>();
  readonly #initials = new Several<string, MatchParty>();
  readonly #accounts = new Several<string, MatchParty>();
  readonly #phones = new Several<string, MatchParty>();
  readonly #open = new Map<string, Ore>();
  readonly #issuedOn = new Map<string, string>();

  constructor(documents: readonly MatchDocument[], payouts: readonly MatchPayout[]) {
    this.#payouts = new Map(payouts.map((one) => [one.name, one]));
    for (const one of documents) {
      this.#open.set(one.id, one.openOre);
      this.#issuedOn.set(one.id, one.issuedOn);
      if (one.reference !== null) this.#references.add(spelledOnce(one.reference), one);
      this.#numbers.add(spelledOnce(one.number), one);
      this.#amounts.add(one.openOre, one);
      this.#ofParty.add(one.party.id, one);
      this.#know(one.party);
    }
  }

  #know(party: MatchParty): void {
    if (this.#parties.has(party.id)) return;
    this.#parties.set(party.id, party);
    const [first] = wordsOf(party.name);
    if (first !== undefined) this.#initials.add(initialsOf(first), party);
    for (const account of party.accounts) this.#accounts.add(spelledOnce(account), party);
    if (party.phone !== null) this.#phones.add(phoneDigits(party.phone), party);
  }

  openOf({ id }: MatchDocument): Ore {
    return this.#open.get(id) ?? 0n;
  }

  isIssuedAfter({ documentId }: MatchPart, day: string): boolean {
    return (this.#issuedOn.get(documentId) ?? '') > day;
  }

  /** What a row pays is not there for the next one. */
  take(parts: readonly MatchPart[]): void {
    for (const { documentId, amountOre } of parts) {
      this.#open.set(documentId, (this.#open.get(documentId) ?? 0n) - amountOre);
    }
  }

  giveBack(parts: readonly MatchPart[]): void {
    this.take(parts.map((part) => ({ ...part, amountOre: -part.amountOre })));
  }

  byReference(reference: string): readonly MatchDocument[] {
    return this.#references.of(reference);
  }

  byNumber(number: string): readonly MatchDocument[] {
    return this.#numbers.of(number);
  }

  /** What a file has asked for by that name, as long as all of it is open. */
  payoutNamed(name: string): MatchPayout | undefined {
    const payout = this.#payouts.get(name);
    return payout && this.isWholeOpen(payout) ? payout : undefined;
  }

  isWholeOpen({ parts }: MatchPayout): boolean {
    return parts.every((part) => this.#isOpen(part));
  }

  #isOpen({ documentId, amountOre }: MatchPart): boolean {
    const open = this.#open.get(documentId) ?? 0n;
    return goesAs(open, amountOre) && absolute(amountOre) <= absolute(open);
  }

  /** Those of which exactly the amount is open. */
  ofAmount(ore: Ore): MatchDocument[] {
    return this.#amounts.of(ore).filter((one) => this.openOf(one) === ore);
  }

  /** The party's that are open the way the money goes; the first due first. Thousands may be, so whoever has enough stops. */
  *openOfParty({ id }: MatchParty, ore: Ore): Generator<MatchDocument> {
    for (const one of this.#ofParty.of(id)) if (goesAs(this.openOf(one), ore)) yield one;
  }

  /** All that are open the way the money goes, at most so many. */
  openOnes(ore: Ore, most: number): MatchDocument[] {
    const found: MatchDocument[] = [];
    for (const [, some] of this.#ofParty) {
      for (const one of some) if (goesAs(this.openOf(one), ore)) found.push(one);
      if (found.length >= most) break;
    }
    return found;
  }

  /** Whom a payment is from or to: by account, else name, else telephone. */
  partiesOf({ accounts, name, words, text }: PaymentMarks): {
    readonly sign: PartySign;
    readonly parties: readonly MatchParty[];
  } {
    const byAccount = unique(accounts.flatMap((account) => this.#accounts.of(account)));
    if (byAccount.length > 0) return { sign: 'payer_account', parties: byAccount };
    const said = name === null ? words : wordsOf(name);
    const byName = unique(said.flatMap((word) => this.#initials.of(initialsOf(word)))).filter(
      (party) => namesParty(said, party.name),
    );
    if (byName.length > 0) return { sign: 'payer_name', parties: byName };
    const byPhone = unique(phonesIn(text).flatMap((phone) => this.#phones.of(phoneDigits(phone))));
    return { sign: 'phone', parties: byPhone };
  }
}

export const goesAs = (one: Ore, other: Ore): boolean =>
  (one > 0n && other > 0n) || (one < 0n && other < 0n);

const initialsOf = (word: string): string => word.slice(0, 3);

const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];

/** Several values by key. */
class Several<Key, Value> {
  readonly #values = new Map<Key, Value[]>();

  add(key: Key, value: Value): void {
    const known = this.#values.get(key);
    if (known) known.push(value);
    else this.#values.set(key, [value]);
  }

  of(key: Key): readonly Value[] {
    return this.#values.get(key) ?? [];
  }

  [Symbol.iterator](): Iterator<[Key, Value[]]> {
    return this.#values[Symbol.iterator]();
  }
}
