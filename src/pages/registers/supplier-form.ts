/** The forms of a supplier: who it is, and where it is paid. */
import { z } from 'zod';
import { normalizePaymentAccount } from '../../domain/basics/payment-accounts.ts';
import {
  payeeKinds,
  type RegisteredSupplier,
  type SupplierFacts,
} from '../../purchases/suppliers/store.ts';
import { type FieldView, field, formOf } from '../fields.ts';
import {
  choice,
  email,
  externalId,
  integer,
  optional,
  optionalText,
  organizationNumber,
  text,
  ticked,
  vatNumber,
} from '../inputs.ts';
import { namedOutside } from '../named-outside.ts';
import type { FormInput } from '../visit.ts';
import { contactFields, country } from './customer-form.ts';
import { markFields, markForm } from './supply-mark.ts';

export const payeeKindNames = {
  bankgiro: 'Bankgiro',
  plusgiro: 'Plusgiro',
  iban: 'IBAN',
  other: 'Annat konto',
} as const;

const endpoint = text(60).refine((value) => /^[0-9]{4}:[^\s]{1,50}$/.test(value), {
  error: 'Skriv adressen som schema:nummer, t.ex. 0007:5560360793.',
});

export const payeeAccount = (kind: 'bankgiro' | 'plusgiro' | 'iban', sentence: string) =>
  optional(
    text(50).transform((value, context): string => {
      const number = normalizePaymentAccount(kind, value);
      if (number !== null) return number;
      context.addIssue({ code: 'custom', message: sentence, params: { reason: 'wrong_format' } });
      return z.NEVER;
    }),
  );

const facts = {
  name: text(200),
  organizationNumber: optional(organizationNumber),
  vatNumber: optional(vatNumber),
  endpoint: optional(endpoint),
  email: optional(email),
  phone: optionalText(50),
  address: optionalText(200),
  postalCode: optionalText(20),
  city: optionalText(100),
  countryCode: country,
  account: optional(integer(1000, 8999)),
  paymentDays: optional(integer(0, 365)),
  externalId,
  ...markFields,
};

export const newSupplierFields = z.object({
  ...facts,
  bankgiro: payeeAccount(
    'bankgiro',
    'Bankgirot stämmer inte: 7–8 siffror, och den sista ska gå ihop.',
  ),
  plusgiro: payeeAccount(
    'plusgiro',
    'Plusgirot stämmer inte: 2–8 siffror, och den sista ska gå ihop.',
  ),
  iban: payeeAccount('iban', 'IBAN stämmer inte; kontrollera siffrorna.'),
});

export const supplierFields = z.object({ ...facts, isActive: ticked });

export const accountFields = z
  .object({ kind: choice(payeeKinds), number: text(50) })
  .transform(({ kind, number }, context) => {
    const normalized = normalizePaymentAccount(kind, number);
    if (normalized !== null) return { kind, number: normalized };
    const message = `${payeeKindNames[kind]} stämmer inte; kontrollera siffrorna.`;
    context.addIssue({
      code: 'custom',
      path: ['number'],
      message,
      params: { reason: 'wrong_format' },
    });
    return z.NEVER;
  });

/** What a new supplier is paid on, of the three fields. */
export const accountsOf = ({ bankgiro, plusgiro, iban }: z.output<typeof newSupplierFields>) =>
  Object.entries({ bankgiro, plusgiro, iban }).flatMap(([kind, number]) =>
    number === null ? [] : [{ kind: kind as keyof typeof payeeKindNames, number }],
  );

export const factsOf = (values: z.output<z.ZodObject<typeof facts>>): SupplierFacts => values;

export function supplierForm(
  input: FormInput,
  supplier: RegisteredSupplier | undefined,
  name = '',
) {
  const fields: Record<string, FieldView> = {
    ...contactFields(input, supplier, name),
    endpoint: field(input, 'endpoint', 'Elektronisk adress', {
      maxLength: 60,
      value: supplier?.endpoint ?? '',
      help: 'Som e-fakturorna kommer från, t.ex. 0007:5560360793.',
    }),
    account: field(input, 'account', 'Vanligt inköpskonto', {
      maxLength: 4,
      list: 'accounts',
      value: supplier?.account?.toString() ?? '',
      help: 'Föreslås på leverantörens fakturor. Tomt följer den senaste bokförda.',
    }),
    paymentDays: field(input, 'paymentDays', 'Betalningsvillkor, dagar', {
      maxLength: 3,
      value: supplier?.payment_days?.toString() ?? '',
      help: 'Förfallodagen räknas från fakturadatumet. Tomt är 30.',
    }),
    ...namedOutside(input, supplier?.external_id),
    ...markForm(input, supplier && { supply: supplier.supply, rate: supplier.reverse_charge_rate }),
  };
  if (supplier) {
    fields['isActive'] = field(input, 'isActive', 'Får kopplas till nya fakturor', {
      type: 'checkbox',
      value: supplier.is_active ? 'on' : null,
    });
    return formOf(input, fields);
  }
  for (const kind of ['bankgiro', 'plusgiro', 'iban'] as const) {
    fields[kind] = field(input, kind, payeeKindNames[kind], { maxLength: 50 });
  }
  return formOf(input, fields);
}

export const accountForm = (input: FormInput) =>
  formOf(input, {
    kind: field(input, 'kind', 'Slag', {
      type: 'select',
      isRequired: true,
      value: 'bankgiro',
      options: payeeKinds.map((value) => ({ value, label: payeeKindNames[value] })),
    }),
    number: field(input, 'number', 'Nummer', { isRequired: true, maxLength: 50 }),
  });
