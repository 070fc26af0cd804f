/**
 * What many rules ask about the whole document, found once: who the parties are, which VAT categories
 * are used where, and what each category adds up to. Everything is computed when first asked for.
 */
import { CategorySums } from './category-sums.ts';
import { codeLists } from './data/code-lists.ts';
import { add, type Decimal, format, subtract } from './decimal.ts';
import type { XmlDocument, XmlElement } from './xml/tree.ts';
import { boolean, normalizeSpace, textAt, Uncomputable } from './xpath.ts';

/** How the specifications (BT-24) of Peppol BIS Billing 3 and Self-Billing 3 begin. */
export const [billing = ''] = codeLists['PEPPOL-CUSTOMIZATION-PREFIX'];
export const selfBilling =
  'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0';
/** The process (BT-23) of self-billing. */
export const selfBillingProcess = 'urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0';

const supplierPath = 'cac:AccountingSupplierParty/cac:Party';
const customerPath = 'cac:AccountingCustomerParty/cac:Party';
const addressCountry = 'cac:PostalAddress/cac:Country/cbc:IdentificationCode';

/** A VAT category as written on a line, an allowance, a charge or in the VAT breakdown. */
export interface Category {
  /** BT-95, BT-102, BT-118 or BT-151, without blanks at the ends. */
  readonly code: string;
  /** Whether its tax scheme is VAT. */
  readonly is_vat: boolean;
  /** Whether the code is written without blanks around it. */
  readonly is_exact: boolean;
}

/** Where a VAT category occurs: `vat` counts only those whose tax scheme is VAT, `any` all. */
export interface Use {
  vat: number;
  any: number;
  /** The same, counting only those whose code has no blanks around it. */
  vat_exactly: number;
  any_exactly: number;
}

const noUse: Use = { vat: 0, any: 0, vat_exactly: 0, any_exactly: 0 };

/**
 * `line`: every line's category. `allowance`, `charge`: at any level; `either`: these and such whose
 * indicator says neither; `document_…`: the document's own. `breakdown`: BG-23. `tax_category`: every
 * TaxCategory, wherever it stands.
 */
export type Spot =
  | 'line'
  | 'allowance'
  | 'charge'
  | 'either'
  | 'document_allowance'
  | 'document_charge'
  | 'breakdown'
  | 'tax_category';

export class Facts {
  readonly document: XmlDocument;
  readonly root: XmlElement;
  readonly is_credit_note: boolean;
  readonly #kept = new Map<string, unknown>();
  readonly #firsts = new Map<string, XmlElement | null>();
  readonly #values = new Map<string, ReadonlySet<string>>();
  #last_category: XmlElement | undefined;
  #last_category_facts: Category = { code: '', is_vat: false, is_exact: true };

  constructor(document: XmlDocument) {
    this.document = document;
    this.root = document.root;
    this.is_credit_note = document.root.name === 'CreditNote';
  }

  /** A value computed the first time it is asked for; that it cannot be computed is kept too. */
  once<T>(name: string, compute: (root: XmlElement, facts: Facts) => T): T {
    if (!this.#kept.has(name)) this.#kept.set(name, this.#attempt(compute));
    const kept = this.#kept.get(name);
    if (kept instanceof Uncomputable) throw kept;
    // The name belongs to one place in the code, so the type is the one stored there.
    return kept as T;
  }

  #attempt<T>(compute: (root: XmlElement, facts: Facts) => T): T | Uncomputable {
    try {
      return compute(this.root, this);
    } catch (error) {
      if (error instanceof Uncomputable) return error;
      throw error;
    }
  }

  /** Like `root.first`, but looked up once however many lines ask. */
  first(path: string): XmlElement | undefined {
    let found = this.#firsts.get(path);
    if (found === undefined) {
      found = this.root.first(path) ?? null;
      this.#firsts.set(path, found);
    }
    return found ?? undefined;
  }

  /** The values of every element at a path from the root, as written. */
  values(path: string): ReadonlySet<string> {
    let found = this.#values.get(path);
    if (!found) {
      found = new Set(this.root.all(path).map((element) => element.value));
      this.#values.set(path, found);
    }
    return found;
  }

  /**
   * Peppol's self-billing: the buyer has written the invoice, and no country's rules apply. Its
   * specification (BT-24) says so, or when that is neither one's, its process (BT-23).
   */
  get is_self_billing(): boolean {
    return this.once('self-billing', (root) => {
      const specification = textAt(root, 'cbc:CustomizationID');
      if (specification.startsWith(billing)) return false;
      return (
        specification.startsWith(selfBilling) ||
        textAt(root, 'cbc:ProfileID') === selfBillingProcess
      );
    });
  }

  // --- Parties -------------------------------------------------------------------------------

  /** Seller's country as Peppol sees it: VAT number, then the representative's, then address. */
  get supplier_country(): string {
    return this.once('supplier country', (root) => {
      const representative = 'cac:TaxRepresentativeParty';
      return (
        vatPrefix(root, supplierPath) ||
        vatPrefix(root, representative) ||
        (root.has(`${supplierPath}/${addressCountry}`) ? this.supplier_address_country : 'XX')
      );
    });
  }

  /** Seller's country without asking the tax representative. */
  get supplier_own_country(): string {
    return this.once('supplier own country', (root) => {
      const from_address = `${supplierPath}/${addressCountry}`;
      return (
        vatPrefix(root, supplierPath) ||
        (root.has(from_address) ? this.supplier_address_country : 'XX')
      );
    });
  }

  get customer_country(): string {
    return this.once('customer country', (root) => {
      const from_address = `${customerPath}/${addressCountry}`;
      return (
        vatPrefix(root, customerPath) ||
        (root.has(from_address) ? this.customer_address_country : 'XX')
      );
    });
  }

  /** BT-40, in capitals. */
  get supplier_address_country(): string {
    return this.once('supplier address', (root) =>
      normalizeSpace(onlyValue(root, `${supplierPath}/${addressCountry}`)).toUpperCase(),
    );
  }

  /** BT-55, in capitals. */
  get customer_address_country(): string {
    return this.once('customer address', (root) =>
      normalizeSpace(onlyValue(root, `${customerPath}/${addressCountry}`)).toUpperCase(),
    );
  }

  /** BT-40 exactly as written. */
  get supplier_country_as_written(): string {
    return this.once('supplier written', (root) =>
      onlyValue(root, `${supplierPath}/${addressCountry}`),
    );
  }

  /** BT-55 exactly as written. */
  get customer_country_as_written(): string {
    return this.once('customer written', (root) =>
      onlyValue(root, `${customerPath}/${addressCountry}`),
    );
  }

  /** Both addresses are German: then the German rules apply, and some Peppol rules yield. */
  get is_german(): boolean {
    return this.supplier_address_country === 'DE' && this.customer_address_country === 'DE';
  }

  /** BT-31, BT-32: some tax number of the seller, whatever its scheme. */
  get has_seller_tax_number(): boolean {
    return this.once('seller tax number', () =>
      this.#parties('cac:AccountingSupplierParty').some((party) =>
        party.has('cac:Party/cac:PartyTaxScheme/cbc:CompanyID'),
      ),
    );
  }

  /** BT-31. */
  get has_seller_vat_number(): boolean {
    return this.#hasVatNumber('cac:AccountingSupplierParty', 'cac:Party/cac:PartyTaxScheme');
  }

  /** BT-63. */
  get has_representative_vat_number(): boolean {
    return this.#hasVatNumber('cac:TaxRepresentativeParty', 'cac:PartyTaxScheme');
  }

  /** BT-48. */
  get has_buyer_vat_number(): boolean {
    return this.#hasVatNumber('cac:AccountingCustomerParty', 'cac:Party/cac:PartyTaxScheme');
  }

  /** BT-47. */
  get has_buyer_legal_number(): boolean {
    return this.once('buyer legal number', () =>
      this.#parties('cac:AccountingCustomerParty').some((party) =>
        party.has('cac:Party/cac:PartyLegalEntity/cbc:CompanyID'),
      ),
    );
  }

  #parties(name: string): readonly XmlElement[] {
    return this.document.named(name);
  }

  #hasVatNumber(party: string, scheme_path: string): boolean {
    return this.once(`vat number ${party}`, () =>
      this.#parties(party).some((element) =>
        element
          .all(scheme_path)
          .some((scheme) => scheme.has('cbc:CompanyID') && hasVatScheme(scheme)),
      ),
    );
  }

  // --- VAT -----------------------------------------------------------------------------------

  /** The VAT category that an element (TaxCategory, ClassifiedTaxCategory) writes. */
  category(element: XmlElement): Category {
    if (this.#last_category !== element) {
      this.#last_category = element;
      const written = element.valueOf('cbc:ID') ?? '';
      const code = normalizeSpace(written);
      const is_vat = hasVatScheme(element);
      this.#last_category_facts = { code, is_vat, is_exact: code === written };
    }
    return this.#last_category_facts;
  }

  /** How often a VAT category is used somewhere. */
  use(code: string, spot: Spot): Use {
    const uses = this.once('uses', () => this.#countUses());
    return uses.get(`${spot} ${code}`) ?? noUse;
  }

  /** The categories used somewhere with the VAT scheme. */
  codesAt(spot: Spot): readonly string[] {
    const uses = this.once('uses', () => this.#countUses());
    const found = [...uses].filter(([key, { vat }]) => key.startsWith(`${spot} `) && vat > 0);
    return found.map(([key]) => key.slice(spot.length + 1));
  }

  #countUses(): ReadonlyMap<string, Use> {
    const uses = new Map<string, Use>();
    const count = (spot: Spot, { code, is_vat, is_exact }: Category): void => {
      const key = `${spot} ${code}`;
      const use = uses.get(key) ?? { ...noUse };
      use.any += 1;
      if (is_vat) use.vat += 1;
      if (is_exact) use.any_exactly += 1;
      if (is_exact && is_vat) use.vat_exactly += 1;
      uses.set(key, use);
    };
    for (const element of this.document.named('cac:ClassifiedTaxCategory')) {
      count('line', this.category(element));
    }
    for (const element of this.document.named('cac:TaxCategory')) {
      const category = this.category(element);
      count('tax_category', category);
      const parent = element.parent;
      if (parent?.name === 'cac:AllowanceCharge') {
        count('either', category);
        const is_charge = isCharge(parent);
        if (is_charge === undefined) continue;
        count(is_charge ? 'charge' : 'allowance', category);
        if (parent.parent?.parent !== null) continue;
        count(is_charge ? 'document_charge' : 'document_allowance', category);
      } else if (isBreakdown(element)) count('breakdown', category);
    }
    return uses;
  }

  /**
   * What a VAT category adds up to: line net amounts plus charges minus allowances of the document,
   * for one kind of line. With a rate, only what carries that rate. Throws Uncomputable when one of
   * the amounts or rates is no number.
   */
  taxable(line_name: string, code: string, rate?: Decimal): Decimal {
    const with_rate = rate !== undefined;
    const key = with_rate ? `${code} ${format(rate)}` : code;
    return subtract(
      add(
        this.#sums(line_name, with_rate).total(key, code),
        this.#sums('charge', with_rate).total(key, code),
      ),
      this.#sums('allowance', with_rate).total(key, code),
    );
  }

  /** Whether any line of a kind, or any allowance or charge, has this category and rate. */
  hasTaxable(line_name: string, code: string, rate: Decimal): boolean {
    const key = `${code} ${format(rate)}`;
    return this.#sums(line_name, true).has(key) || this.#sums('either', true).has(key);
  }

  #sums(what: string, with_rate: boolean): CategorySums {
    return this.once(`sums ${what} ${with_rate}`, (root) => {
      if (what.startsWith('cac:')) {
        const lines = root.all(what);
        const category_path = 'cac:Item/cac:ClassifiedTaxCategory';
        return new CategorySums(lines, category_path, 'cbc:LineExtensionAmount', with_rate);
      }
      const all =
        what === 'either'
          ? this.document.named('cac:AllowanceCharge')
          : root.all('cac:AllowanceCharge');
      const chosen = all.filter(
        (one) => what === 'either' || isCharge(one) === (what === 'charge'),
      );
      return new CategorySums(chosen, 'cac:TaxCategory', 'cbc:Amount', with_rate);
    });
  }
}

/** When two answers stand in the document, the official rules find no country, and none applies. */
const undecided = '?';

/** The value at a path when there is one and only one. */
function onlyValue(root: XmlElement, path: string): string {
  const [only, ...more] = root.all(path);
  if (!only) return '';
  return more.length > 0 ? undecided : only.value;
}

/** The first two letters of a party's VAT number, in capitals; '' when it has none. */
function vatPrefix(root: XmlElement, party_path: string): string {
  const [scheme, ...more] = root
    .all(`${party_path}/cac:PartyTaxScheme`)
    .filter((one) => one.all('cac:TaxScheme/cbc:ID').some((id) => id.value === 'VAT'));
  if (!scheme) return '';
  if (more.length > 0) return undecided;
  const prefix = [...onlyValue(scheme, 'cbc:CompanyID').slice(0, 4)].slice(0, 2).join('');
  return prefix === '' ? '' : normalizeSpace(prefix).toUpperCase() || undecided;
}

/** Whether the tax scheme of an element is VAT, however it is spelt. */
export function hasVatScheme(element: XmlElement): boolean {
  for (const scheme of element.children) {
    if (scheme.name !== 'cac:TaxScheme') continue;
    if (normalizeSpace(scheme.valueOf('cbc:ID')).toUpperCase() === 'VAT') return true;
  }
  return false;
}

/** Whether an AllowanceCharge is a charge; undefined when its indicator says neither. */
export function isCharge(element: XmlElement): boolean | undefined {
  return boolean(element.valueOf('cbc:ChargeIndicator'));
}

/** Whether a TaxCategory stands in the document's VAT breakdown (BG-23). */
function isBreakdown(category: XmlElement): boolean {
  const subtotal = category.parent;
  const total = subtotal?.parent;
  return (
    subtotal?.name === 'cac:TaxSubtotal' &&
    total?.name === 'cac:TaxTotal' &&
    total.parent?.parent === null
  );
}
