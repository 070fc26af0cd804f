/** The form of a customer. */
import { z } from 'zod';
import { countryOf } from '../../domain/basics/countries.ts';
import { formatOrganizationNumber } from '../../domain/basics/identifiers.ts';
import type { CustomerFacts } from '../../sales/customers/service.ts';
import type { Customer } from '../../sales/customers/store.ts';
import { type FieldView, field, formOf } from '../fields.ts';
import {
  email,
  externalId,
  integer,
  optional,
  optionalText,
  organizationNumber,
  percentE2,
  text,
  ticked,
  vatNumber,
} from '../inputs.ts';
import { namedOutside } from '../named-outside.ts';
import type { FormInput } from '../visit.ts';

/** Two letters of a country that is one. */
export const country = text(2).transform((value, context): string => {
  const code = countryOf(value);
  if (code !== null) return code;
  const message = 'Skriv landets två bokstäver, t.ex. SE, NO eller DE.';
  context.addIssue({ code: 'custom', message, params: { reason: 'wrong_format' } });
  return z.NEVER;
});

const agreedRate = percentE2.refine((e2) => e2 >= 0n && e2 <= 10_000n, {
  error: 'En ränta är mellan 0 och 100 procent.',
});

export const customerFields = z.object({
  name: text(200),
  organizationNumber: optional(organizationNumber),
  vatNumber: optional(vatNumber),
  email: optional(email),
  phone: optionalText(50),
  address: optionalText(200),
  postalCode: optionalText(20),
  city: optionalText(100),
  countryCode: country,
  paymentTermsDays: optional(integer(0, 90)),
  agreedRate: optional(agreedRate),
  externalId,
  sharesNumber: ticked,
  isActive: ticked,
});

export const customerFactsOf = ({
  agreedRate: rate,
  ...values
}: z.output<typeof customerFields>): CustomerFacts & { isActive: boolean } => ({
  ...values,
  agreedRateE2: rate === null ? null : Number(rate),
});

/** Fields that customers and suppliers have in common. */
export interface Contact {
  readonly name: string;
  readonly organization_number: string | null;
  readonly vat_number: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly address: string | null;
  readonly postal_code: string | null;
  readonly city: string | null;
  readonly country_code: string;
}

export const contactFields = (input: FormInput, known: Contact | undefined, name = '') => ({
  name: field(input, 'name', 'Namn', {
    isRequired: true,
    isFirst: !input.isSent && known === undefined,
    maxLength: 200,
    value: known?.name ?? name,
  }),
  organizationNumber: field(input, 'organizationNumber', 'Organisationsnummer', {
    maxLength: 20,
    value: known?.organization_number ? formatOrganizationNumber(known.organization_number) : '',
    help: 'Tio siffror; för en enskild firma personnumret.',
  }),
  vatNumber: field(input, 'vatNumber', 'Momsnummer', {
    maxLength: 30,
    value: known?.vat_number ?? '',
    help: 'Med landskod, t.ex. SE556036079301.',
  }),
  email: field(input, 'email', 'E-postadress', {
    type: 'email',
    maxLength: 320,
    value: known?.email ?? '',
  }),
  phone: field(input, 'phone', 'Telefon', { maxLength: 50, value: known?.phone ?? '' }),
  address: field(input, 'address', 'Gatuadress eller box', {
    maxLength: 200,
    value: known?.address ?? '',
  }),
  postalCode: field(input, 'postalCode', 'Postnummer', {
    maxLength: 20,
    value: known?.postal_code ?? '',
  }),
  city: field(input, 'city', 'Ort', { maxLength: 100, value: known?.city ?? '' }),
  countryCode: field(input, 'countryCode', 'Land', {
    isRequired: true,
    maxLength: 2,
    value: known?.country_code ?? 'SE',
    help: 'Två bokstäver, t.ex. SE. Landet avgör momsen på order.',
  }),
});

/** `name` is what a form that asks for a new one calls it. */
export function customerForm(input: FormInput, customer: Customer | undefined, name = '') {
  const isShared = input.problems.some(({ reason }) => reason === 'customer_number_taken');
  const rate = customer?.agreed_rate_e2;
  const fields: Record<string, FieldView> = {
    ...contactFields(input, customer, name),
    paymentTermsDays: field(input, 'paymentTermsDays', 'Betalningsvillkor, dagar', {
      maxLength: 2,
      value: customer?.payment_terms_days?.toString() ?? '',
      help: '0–90. Tomt tar fakturans eget.',
    }),
    agreedRate: field(input, 'agreedRate', 'Avtalad ränta, %', {
      maxLength: 8,
      value: rate === null || rate === undefined ? '' : String(rate / 100).replace('.', ','),
      help: 'Dröjsmålsränta per år. Tomt ger räntelagens: referensränta plus åtta procentenheter. Gäller fakturor som bokförs från nu.',
    }),
    ...namedOutside(input, customer?.external_id),
    sharesNumber: field(input, 'sharesNumber', 'Kunderna delar nummer med flit', {
      type: isShared || input.fields['sharesNumber'] ? 'checkbox' : 'hidden',
      help: 'T.ex. två kontor i samma företag. En order kopplas då till den äldsta.',
    }),
    isActive: field(input, 'isActive', 'Får faktureras', {
      type: customer ? 'checkbox' : 'hidden',
      value: !customer || customer.is_active ? 'on' : null,
    }),
  };
  return formOf(input, fields);
}
