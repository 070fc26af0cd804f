/** Whether a document is addressed to the company, however its numbers are written. */
import { normalizeOrganizationNumber, normalizeVatNumber } from '../basics/identifiers.ts';

export interface CompanyNumbers {
  /** Ten digits. */
  readonly organizationNumber: string;
  readonly vatNumber: string | null;
  /** Other numbers it receives with, as `scheme:number` or the number alone. */
  readonly receiverIds: readonly string[];
}

/** A number as a document writes it; `scheme` is the EAS or ICD code when it says one. */
export interface PartyId {
  readonly scheme: string | null;
  readonly number: string;
}

export function isAddressedTo(ids: readonly PartyId[], company: CompanyNumbers): boolean {
  const own = new Set([
    ...spellings({ scheme: '0007', number: company.organizationNumber }),
    ...(company.vatNumber === null ? [] : spellings({ scheme: null, number: company.vatNumber })),
    ...company.receiverIds.flatMap((text) => spellings(partyIdOf(text))),
  ]);
  return ids.some((id) => spellings(id).some((spelling) => own.has(spelling)));
}

/** `0088:7300010000001` → scheme and number. */
export function partyIdOf(text: string): PartyId {
  const [, scheme = null, number = text] = /^(\d{4}):(.+)$/.exec(text.trim()) ?? [];
  return { scheme, number: number.trim() };
}

/**
 * What a number comes down to: a Swedish organisation number in any spelling (with century, hyphen, as
 * VAT number, in the old scheme 9955) is the same ten digits; others are their scheme and themselves.
 */
function spellings({ scheme, number }: PartyId): string[] {
  const plain = number.replace(/[\s-]/g, '').toUpperCase();
  if (plain === '') return [];
  const vat = normalizeVatNumber(plain);
  const swedish =
    scheme === null || scheme === '0007' || scheme === '9955' || plain.startsWith('SE')
      ? normalizeOrganizationNumber(plain.replace(/^SE(\d{10})\d{2}$/, '$1'))
      : null;
  return [
    ...(swedish === null ? [] : [`se ${swedish}`]),
    ...(vat === null ? [] : [`vat ${vat}`]),
    scheme === null ? `any ${plain}` : `${scheme} ${plain}`,
    ...(scheme === null ? [] : [`any ${plain}`]),
  ];
}
