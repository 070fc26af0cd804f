/** What the lines, allowances and charges of each VAT category add up to (BR-S-08 and its like). */
import { add, type Decimal, format, parseDecimal, zero } from './decimal.ts';
import type { XmlElement } from './xml/tree.ts';
import { decimalAt, textAt, Uncomputable } from './xpath.ts';

/** The categories whose rows are held against what carries their rate: S, L and M. */
const ratedCodes: ReadonlySet<string> = new Set(['S', 'L', 'M']);

/** Amounts by VAT category, or by category and rate. */
export class CategorySums {
  readonly #with_rate: boolean;
  readonly #amount_path: string;
  readonly #totals = new Map<string, Decimal>();
  /** Keys, or for a rate that is no number whole categories, that cannot be summed. */
  readonly #broken = new Set<string>();

  constructor(
    elements: readonly XmlElement[],
    category_path: string,
    amount_path: string,
    with_rate: boolean,
  ) {
    this.#with_rate = with_rate;
    this.#amount_path = amount_path;
    for (const element of elements) this.#countElement(element, element.all(category_path));
  }

  has(key: string): boolean {
    return this.#totals.has(key) || this.#broken.has(key);
  }

  total(key: string, code: string): Decimal {
    if (this.#broken.has(key) || this.#broken.has(`${code} `))
      throw new Uncomputable('ett belopp eller en skattesats');
    return this.#totals.get(key) ?? zero;
  }

  /** An element counts once for each of its categories, or of their combinations with its rates. */
  #countElement(element: XmlElement, categories: readonly XmlElement[]): void {
    const codes = new Set(categories.map((category) => textAt(category, 'cbc:ID')));
    const keys = this.#with_rate ? this.#keysWithRates(codes, categories) : [...codes];
    if (keys.length === 0) return;
    let amount: Decimal | null = null;
    try {
      amount = decimalAt(element, this.#amount_path) ?? zero;
    } catch {
      // Not a number: what it should have been part of cannot be summed.
    }
    for (const key of keys) {
      if (amount) this.#totals.set(key, add(this.#totals.get(key) ?? zero, amount));
      else this.#broken.add(key);
    }
  }

  #keysWithRates(codes: ReadonlySet<string>, categories: readonly XmlElement[]): readonly string[] {
    const rated = [...ratedCodes].filter((code) => codes.has(code));
    if (rated.length === 0) return [];
    const rates = new Set<string>();
    for (const category of categories) {
      const percent = category.valueOf('cbc:Percent');
      const rate = percent === undefined ? null : parseDecimal(percent);
      if (rate) rates.add(format(rate));
      else if (percent !== undefined) for (const code of rated) this.#broken.add(`${code} `);
    }
    return rated.flatMap((code) => [...rates].map((rate) => `${code} ${rate}`));
  }
}
