/** Values as documents show them: Swedish texts, ready for a template. Pure. */
import { formatOrganizationNumber } from '../domain/basics/identifiers.ts';
import {
  formatPaymentAccount,
  type PaymentAccountKind,
} from '../domain/basics/payment-accounts.ts';
import { nbsp, withoutTrailing } from '../lib/digits.ts';

/** A label and what stands beside it. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

type Text = string | null | undefined;

/** Those that have a value. */
export function facts(pairs: readonly (readonly [label: string, value: Text])[]): Fact[] {
  return pairs.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

export interface PostalAddress {
  readonly address: Text;
  readonly postalCode: Text;
  readonly city: Text;
  /** ISO 3166-1; Sweden is not written out. */
  readonly countryCode?: Text;
}

export function addressLines({ address, postalCode, city, countryCode }: PostalAddress): string[] {
  const town = [postalCode, city].filter(Boolean).join(' ');
  return [address, town, countryName(countryCode)].filter((line) => !!line) as string[];
}

/** `11,2345` of kronor for one of a currency, in millionths. */
export const exchangeRateText = (rateE6: bigint): string => {
  const digits = String(rateE6).padStart(7, '0');
  const fraction = withoutTrailing(digits.slice(-6), '0');
  return fraction === '' ? digits.slice(0, -6) : `${digits.slice(0, -6)},${fraction}`;
};

const countries = new Intl.DisplayNames('sv', { type: 'region' });

/** In Swedish; empty for Sweden, and the code itself for one that nobody knows. */
export function countryName(code: Text): string {
  if (!code || code === 'SE') return '';
  return /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code;
}

/** Where somebody is paid as people write it, on one line. */
export const paymentAccountText = (kind: PaymentAccountKind, number: Text): Text =>
  number && formatPaymentAccount(kind, number).replaceAll(' ', nbsp);

/**
 * Inside the quotes of a CSS string, where HTML's escapes mean nothing: all but letters, figures and
 * spaces as code points (each ended by a space, which CSS takes away), so that no value ends the string,
 * the rule or the style sheet.
 */
export function cssText(text: string): string {
  return text.replace(
    /[^A-Za-z0-9 ]/gu,
    (sign) => `\\${(sign.codePointAt(0) ?? 0xfffd).toString(16)} `,
  );
}

/** What the law has a seller say of itself, with a word joiner that keeps the line from breaking after "F-". */
export const approvedForFTax = 'Godkänd för F-\u2060skatt';

/** What stands in the margins of every page: above from the second one on, below on all. */
export function runningTexts(
  title: string,
  company: {
    readonly name: string;
    readonly orgNumber: Text;
    readonly isApprovedForFTax?: boolean;
  },
) {
  const below = [
    company.name,
    orgNumberText(company.orgNumber),
    company.isApprovedForFTax ? approvedForFTax : '',
  ];
  return {
    runningHead: cssText([company.name, title].join(' · ')),
    runningFoot: cssText(below.filter(Boolean).join(' · ')),
  };
}

/** Swedish numbers as they are written; others as they are. */
export const orgNumberText = (number: Text): string | null =>
  number && /^\d{10}$/.test(number) ? formatOrganizationNumber(number) : (number ?? null);
