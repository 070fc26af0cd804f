/** What the order inbox says: why orders stop, and how they stand, in words. */

import type { Ore } from '../../domain/basics/money.ts';
import {
  type OrderRejection,
  orderRejectionMeanings,
  orderRejections,
} from '../../domain/sales/order-rejections.ts';
import {
  type RefundRejection,
  refundRejectionMeanings,
} from '../../domain/sales/refund-rejections.ts';
import type { AttemptStatus } from '../../intake/orders/inbox-store.ts';
import type { ReceivedKind } from '../../intake/orders/store.ts';
import { say, sayOf, translated, worded } from '../../lib/language.ts';
import type { Option } from '../fields.ts';
import { amountText, kronor } from '../format.ts';

interface Words {
  readonly name: string;
  /** What somebody can do about it. */
  readonly wayOut: string;
}

const resend = worded(
  () =>
    say`Be den som skickade ordern att rätta den och skicka den igen; då prövas den av sig själv.`,
);

const words = worded(
  (): Record<OrderRejection, Words> => ({
    invalid_order: {
      name: say`Går inte att läsa`,
      wayOut: resend(),
    },
    currency_not_supported: {
      name: say`Annan valuta`,
      wayOut: say`Fakturera den för hand till en kurs, eller be den som skickade ordern att skicka den i kronor. Andra valutor tas emot när One Stop Shop är påslaget under Inställningar › Företaget.`,
    },
    exchange_rate_missing: {
      name: say`Kurs saknas`,
      wayOut: say`Fakturera den för hand till en kurs. ${resend()}`,
    },
    vat_rate_not_supported: {
      name: say`Okänd momssats`,
      wayOut: say`${resend()} Andra EU-länders moms tas emot när One Stop Shop är påslaget under Inställningar › Företaget.`,
    },
    total_mismatch: {
      name: say`Summan stämmer inte`,
      wayOut: say`Örestabellen visar var skillnaden uppstår. ${resend()}`,
    },
    vat_treatment_unclear: {
      name: say`Oklar moms`,
      wayOut: say`Är varan momsfri, ge artikeln ett momsfritt konto. Är köparen ett företag i ett annat EU-land, lägg in momsnumret på kunden. Annars ska avsändaren rätta ordern.`,
    },
    customer_unknown: {
      name: say`Okänd kund`,
      wayOut: say`Skapa kunden, eller välj en samlingskund i inställningarna.`,
    },
    date_outside_fiscal_year: {
      name: say`Utanför räkenskapsåren`,
      wayOut: say`Lägg upp räkenskapsåret, eller be avsändaren rätta datumet.`,
    },
    account_missing: {
      name: say`Konto saknas`,
      wayOut: say`Lägg upp, aktivera eller rätta kontot i kontoplanen.`,
    },
    payments_mismatch: {
      name: say`Betalningarna stämmer inte`,
      wayOut: say`Lägg till betalsättet under Inställningar › Företaget om det saknas, och försök igen. ${resend()}`,
    },
    negative_total: {
      name: say`Negativ summa`,
      wayOut: say`Kreditera den ursprungliga fakturan i stället, och avvisa den här ordern.`,
    },
  }),
);

const byHand = worded(
  () =>
    say`Be avsändaren rätta den och skicka den igen, eller kreditera fakturan för hand och avvisa den här.`,
);

const refundWords = worded(
  (): Record<RefundRejection, Words> => ({
    invalid_refund: { name: say`Går inte att läsa`, wayOut: resend() },
    refund_id_taken: {
      name: say`Numret är använt`,
      wayOut: say`Kreditera fakturan för hand om det är en återbetalning till, och avvisa den här.`,
    },
    order_unknown: {
      name: say`Ordern saknas`,
      wayOut: say`Vänta på ordern, eller se efter varför den är stoppad. Återbetalningen prövas igen av sig själv.`,
    },
    order_not_booked: {
      name: say`Väntar på fakturan`,
      wayOut: say`Bokför orderns faktura. Återbetalningen prövas igen av sig själv.`,
    },
    refund_outside_fiscal_year: {
      name: say`Utanför räkenskapsåren`,
      wayOut: say`Lägg upp räkenskapsåret och försök igen, eller be avsändaren rätta datumet.`,
    },
    refund_before_invoice: { name: say`Före fakturan`, wayOut: byHand() },
    refund_rows_unknown: { name: say`Raderna stämmer inte`, wayOut: byHand() },
    refund_exceeds_invoice: { name: say`För mycket`, wayOut: byHand() },
    refund_payments_mismatch: {
      name: say`Betalningarna stämmer inte`,
      wayOut: say`Lägg till betalsättet under Inställningar › Företaget om det saknas, och försök igen. ${byHand()}`,
    },
    refund_draft_removed: {
      name: say`Utkastet borttaget`,
      wayOut: say`Avvisa återbetalningen, eller försök igen för att få ett nytt utkast.`,
    },
    refund_of_written_off: {
      name: say`Avskriven faktura`,
      wayOut: say`Ta tillbaka avskrivningen på fakturans sida, och försök igen.`,
    },
  }),
);

const allWords = worded(
  (): Readonly<Record<string, Words | undefined>> => ({ ...words(), ...refundWords() }),
);
const meanings: Readonly<Record<string, string | undefined>> = {
  ...orderRejectionMeanings,
  ...refundRejectionMeanings,
};

/** The words for a reason as it is stored, with the one sentence on why it stopped. */
export const rejectionWords = (reason: string): Words & { readonly sentence: string } => ({
  ...(allWords()[reason] ?? { name: reason, wayOut: resend() }),
  sentence: translated(meanings[reason] ?? 'Ordern stoppades.'),
});

export const rejectionOptions = worded((): readonly Option[] => [
  ...orderRejections.map((reason) => ({ value: reason, label: words()[reason].name })),
  ...Object.entries(refundWords()).map(([value, { name }]) => ({
    value,
    label: say`Återbetalning: ${name.charAt(0).toLowerCase()}${name.slice(1)}`,
  })),
]);

/** What is said of an order, and of a refund in its place. */
export const receivedWords = worded(
  () =>
    ({
      order: {
        noun: say`Order`,
        the: say`ordern`,
        several: sayOf('several')`order`,
        draft: say`fakturautkast`,
        theDraft: say`Fakturautkastet`,
        booked: say`faktura`,
      },
      refund: {
        noun: say`Återbetalning`,
        the: say`återbetalningen`,
        several: say`återbetalningar`,
        draft: say`utkast till kreditfaktura`,
        theDraft: say`Utkastet till kreditfaktura`,
        booked: say`kreditfaktura`,
      },
    }) satisfies Record<ReceivedKind, object>,
);

/** `Order W-1`, `Återbetalning R-1`. */
export const receivedName = ({
  kind,
  external_id: number,
}: {
  readonly kind: ReceivedKind;
  readonly external_id: string | null;
}): string => `${receivedWords()[kind].noun} ${number ?? say`utan nummer`}`;

/** Whether an order's amounts are to be read as kronor: it says so, however it spells it, or nothing. */
export const isKronor = (currency: string): boolean =>
  ['', 'SEK'].includes(currency.trim().toUpperCase());

/** An amount in the order's own currency. */
export const currencyAmount = (ore: Ore, currency: string): string =>
  isKronor(currency) ? kronor(ore) : `${amountText(ore)} ${currency}`;

export interface Chip {
  /** `good`, `warn`, `bad`, `info`, or none. */
  readonly tone: string;
  readonly text: string;
}

const invoiceChips = worded(
  (): Readonly<Record<string, Chip>> => ({
    draft: { tone: 'info', text: say`Utkast` },
    booked: { tone: 'good', text: say`Bokförd` },
    paid: { tone: 'good', text: say`Betald` },
    credited: { tone: '', text: say`Krediterad` },
  }),
);

/** How an order stands: its invoice when it has one, else what has been decided, else its latest attempt. */
export function orderChip(order: {
  readonly invoice_status: string | null;
  readonly is_dismissed: boolean;
  readonly status: AttemptStatus;
  readonly is_stuck: boolean;
}): Chip {
  if (order.invoice_status !== null) {
    return invoiceChips()[order.invoice_status] ?? { tone: '', text: order.invoice_status };
  }
  if (order.is_dismissed) return { tone: '', text: sayOf('order')`Avvisad` };
  if (order.status === 'rejected') return { tone: 'bad', text: say`Stoppad` };
  return order.is_stuck
    ? { tone: 'warn', text: say`Har fastnat` }
    : { tone: 'info', text: say`Prövas` };
}

/** One sentence about an order in a list. */
export function orderSentence(order: {
  readonly kind: ReceivedKind;
  readonly invoice_status: string | null;
  readonly invoice_number: number | null;
  readonly status: AttemptStatus;
  readonly is_stuck: boolean;
  readonly reason: string | null;
}): string {
  if (order.status === 'duplicate') {
    return say`Kom igen med annat innehåll medan den första prövades; den första gäller.`;
  }
  const { draft, booked } = receivedWords()[order.kind];
  if (order.invoice_status === 'draft') return say`Blev ett ${draft}.`;
  if (order.invoice_status !== null) return say`Blev ${booked} ${order.invoice_number ?? ''}.`;
  if (order.status === 'rejected') return rejectionWords(order.reason ?? '').sentence;
  return order.is_stuck
    ? say`Mottagen men inte prövad inom fem minuter; försök igen.`
    : say`Mottagen, och prövas just nu.`;
}
