/**
 * The API's description in Swedish: for each English sentence in it, that stands where routes and schemas are
 * written, the Swedish one. One file a folder of `src/api`; what several say is in `common.ts`. A test holds
 * that every sentence has its entry and that no entry is left over.
 */
import { scopeMeanings } from '../../access/keys/scopes.ts';
import { monthConditions } from '../../domain/ledger/month-conditions.ts';
import { orderRejectionMeanings } from '../../domain/sales/order-rejections.ts';
import { refundRejectionMeanings } from '../../domain/sales/refund-rejections.ts';
import { tillRejectionMeanings } from '../../domain/sales/till-rejections.ts';
import { conditionMeanings } from '../agency/conditions.ts';
import { scopesInEnglish } from '../meta/scopes.ts';
import { orderReasons, refundReasons } from '../orders/reasons.ts';
import { tillReasons } from '../till-reports/reasons.ts';
import { agencyInSwedish } from './agency.ts';
import { balancesInSwedish } from './balances.ts';
import { bankTransactionsInSwedish } from './bank-transactions.ts';
import { collectionInSwedish } from './collection.ts';
import { commonInSwedish } from './common.ts';
import { documentsInSwedish } from './documents.ts';
import { eInvoicesInSwedish } from './e-invoices.ts';
import { errorsInSwedish } from './errors.ts';
import { eventsInSwedish } from './events.ts';
import { exportInSwedish } from './export.ts';
import { fieldWordsInSwedish } from './field-words.ts';
import { invoicesInSwedish } from './invoices.ts';
import { operationsInSwedish } from './operations.ts';
import { ordersInSwedish } from './orders.ts';
import { ossInSwedish } from './oss.ts';
import { postabilityInSwedish } from './postability.ts';
import { proposalsInSwedish } from './proposals.ts';
import { registersInSwedish } from './registers.ts';
import { settlementsInSwedish } from './settlements.ts';
import { statsInSwedish } from './stats.ts';
import { tagsInSwedish } from './tags.ts';
import { tillReportsInSwedish } from './till-reports.ts';
import { vouchersInSwedish } from './vouchers.ts';

/** Sentences that people read elsewhere too, by their common names. */
function pairs<Name extends string>(
  english: Readonly<Record<Name, string>>,
  swedish: Readonly<Record<Name, string>>,
): Record<string, string> {
  const names = Object.keys(english) as Name[];
  return Object.fromEntries(names.map((name) => [english[name], swedish[name]]));
}

export const swedish: ReadonlyMap<string, string> = new Map(
  [
    pairs(scopesInEnglish, scopeMeanings),
    pairs(conditionMeanings, monthConditions),
    pairs(orderReasons, orderRejectionMeanings),
    pairs(refundReasons, refundRejectionMeanings),
    pairs(tillReasons, tillRejectionMeanings),
    agencyInSwedish,
    balancesInSwedish,
    bankTransactionsInSwedish,
    collectionInSwedish,
    commonInSwedish,
    documentsInSwedish,
    eInvoicesInSwedish,
    errorsInSwedish,
    eventsInSwedish,
    exportInSwedish,
    fieldWordsInSwedish,
    invoicesInSwedish,
    operationsInSwedish,
    ordersInSwedish,
    ossInSwedish,
    postabilityInSwedish,
    proposalsInSwedish,
    registersInSwedish,
    settlementsInSwedish,
    statsInSwedish,
    tagsInSwedish,
    tillReportsInSwedish,
    vouchersInSwedish,
  ].flatMap((room) => Object.entries(room)),
);
