/** What a person does next about an order that stopped: the step that fits why, and what else there is. */

import { nextYearAfter } from '../../domain/ledger/fiscal-year.ts';
import { buyerOf, placeOf } from '../../domain/sales/buyer.ts';
import type { RejectedOrder } from '../../domain/sales/order.ts';
import type { Prospect } from '../../intake/orders/service.ts';
import { say } from '../../lib/language.ts';
import type { Person } from '../person.ts';

/** A link, or with `isRetry` the button that has the order judged again. */
export interface Step {
  readonly label: string;
  readonly href: string;
  readonly isRetry: boolean;
}

export interface NextSteps {
  /** What the order waits for now, which may be another thing than what stopped it. */
  readonly sentence: string;
  /** First the one that fits best. */
  readonly steps: readonly Step[];
}

const link = (label: string, href: string): Step => ({ label, href, isRetry: false });

export const retryStep = (orderId: string): Step => ({
  label: say`Försök igen`,
  href: `/order/${orderId}/forsok-igen`,
  isRetry: true,
});

/** Trying again is offered only where it would make a draft; everything else is a way to get there. */
export function nextSteps(
  orderId: string,
  { decision, ...prospect }: Prospect,
  may: Person['may'],
): NextSteps {
  const byHand = link(say`Fakturera för hand`, `/order/${orderId}/faktura`);
  if (decision.kind === 'draft') {
    const sentence = say`Det som stoppade ordern är ordnat. Försök igen, så blir den ett fakturautkast.`;
    return { sentence, steps: [retryStep(orderId)] };
  }
  const fitting = fittingSteps(orderId, decision, prospect, may);
  const isCredit = decision.reason === 'negative_total';
  return {
    sentence:
      fitting.length > 0 && !isCredit ? say`När det är gjort går ordern att pröva igen.` : '',
    steps: isCredit ? fitting : [...fitting, byHand],
  };
}

function fittingSteps(
  orderId: string,
  { reason, problems }: RejectedOrder,
  { order, customer, rules }: Omit<Prospect, 'decision'>,
  may: Person['may'],
): Step[] {
  switch (reason) {
    case 'customer_unknown':
      return [
        link(say`Skapa kund och försök igen`, `/order/${orderId}/kund`),
        ...(may('administer') ? [link(say`Välj samlingskund`, '/installningar/foretag')] : []),
      ];
    case 'date_outside_fiscal_year':
      return order && may('administer') ? yearSteps(order.orderDate, rules.fiscalYears) : [];
    case 'account_missing':
      return [
        ...new Set(problems.flatMap((problem) => Number(problem.params?.['account']) || [])),
      ].map((account) =>
        rules.accounts.some(({ number }) => number === account)
          ? link(say`Rätta konto ${account}`, `/kontoplan/${account}/andra`)
          : link(say`Lägg upp konto ${account}`, `/kontoplan/nytt?nummer=${account}`),
      );
    case 'vat_treatment_unclear':
      return order ? vatSteps(orderId, order, problems, { customer, rules }) : [];
    case 'negative_total': {
      const name = customer?.name ?? order?.customer.name ?? '';
      return [
        link(say`Sök fakturan att kreditera`, `/kundfakturor?sok=${encodeURIComponent(name)}`),
      ];
    }
    default:
      return [];
  }
}

/** A year can be added after the last one; a day beyond it is more likely a slip of the shop's. */
function yearSteps(day: string, years: readonly { start: string; end: string }[]): Step[] {
  const last = years.toSorted((a, b) => a.end.localeCompare(b.end)).at(-1);
  const next = last && nextYearAfter(last);
  return next && next.start <= day && day <= next.end
    ? [link(say`Lägg upp räkenskapsåret`, '/rakenskapsar/nytt')]
    : [];
}

/** Where the buyer's VAT number is to be put: with the customer, who may have to be made first. */
function numberStep(orderId: string, customer: Prospect['customer']): Step {
  return customer
    ? link(say`Komplettera ${customer.name}`, `/kunder/${customer.id}/andra`)
    : link(say`Skapa kund med momsnummer`, `/order/${orderId}/kund`);
}

function vatSteps(
  orderId: string,
  order: NonNullable<Prospect['order']>,
  problems: RejectedOrder['problems'],
  { customer, rules }: Pick<Prospect, 'customer' | 'rules'>,
): Step[] {
  const unclear = problems.filter(({ reason }) => reason === 'vat_treatment_unclear');
  const numbers = unclear.flatMap(({ path }) => {
    const row = order.rows[Number(/^rows\[(\d+)\]/.exec(path)?.[1])];
    return row?.articleNumber ?? [];
  });
  const articles = rules.articles
    .filter(({ number }) => numbers.includes(number))
    .map(({ number }) =>
      link(say`Ändra kontot på artikel ${number}`, `/artiklar/${encodeURIComponent(number)}`),
    );
  const buyer = buyerOf({
    countryCode: order.customer.countryCode ?? customer?.countryCode ?? null,
    vatNumber: order.customer.vatNumber ?? customer?.vatNumber ?? null,
  });
  const isSwedish = placeOf(buyer, rules.supply) === 'sweden';
  const lacksNumber = order.customer.vatNumber === null;
  const ofCustomer = lacksNumber && (customer || !isSwedish) ? [numberStep(orderId, customer)] : [];
  return isSwedish ? [...articles, ...ofCustomer] : [...ofCustomer, ...articles];
}
