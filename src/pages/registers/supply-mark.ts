/** What a supplier sells, as two fields of a form: where we owe the VAT it decides accounts and boxes. */

import { vatRates } from '../../domain/ledger/vat.ts';
import { type SupplyMark, unmarked } from '../../domain/purchases/reverse-charge.ts';
import { say, worded } from '../../lib/language.ts';
import { field } from '../fields.ts';
import { choice, optional } from '../inputs.ts';
import type { FormInput } from '../visit.ts';

export const supplyNames = worded(() => ({ goods: say`Varor`, services: say`Tjänster` }) as const);

const rates = vatRates.map(String);

export const markFields = {
  supply: optional(choice(['goods', 'services'])),
  reverseChargeRate: optional(choice(rates)).transform((rate) =>
    rate === null ? unmarked.rate : (Number(rate) as SupplyMark['rate']),
  ),
};

export const markForm = (input: FormInput, mark: SupplyMark = unmarked) => ({
  supply: field(input, 'supply', say`Säljer`, {
    type: 'select',
    value: mark.supply ?? '',
    options: [
      { value: '', label: say`Inte sagt` },
      ...Object.entries(supplyNames()).map(([value, label]) => ({ value, label })),
    ],
    help: say`Avgör konto och ruta när ni redovisar momsen: omvänd betalningsskyldighet och inköp från utlandet.`,
  }),
  reverseChargeRate: field(input, 'reverseChargeRate', say`Momssats på det i Sverige`, {
    type: 'select',
    value: String(mark.rate),
    options: rates.map((rate) => ({ value: rate, label: `${rate} %` })),
    help: say`Bara för inköp där ni redovisar momsen. Annan än 25 % granskas alltid; 0 % är undantaget.`,
  }),
});
