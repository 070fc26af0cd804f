/** The example company itself and its registers, before anything has happened. */

import type { Tx } from '../db/pool.ts';
import { unmarked } from '../domain/purchases/reverse-charge.ts';
import { changeSetting, setUp } from '../installation/company/service.ts';
import { createDimension } from '../ledger/dimensions/service.ts';
import { createYear, type YearSpan } from '../ledger/fiscal-years/service.ts';
import { createSupplier, markSupplier } from '../purchases/suppliers/service.ts';
import { changeArticle, createArticle } from '../sales/articles/store.ts';
import { deactivateCustomer, insertCustomer } from '../sales/customers/store.ts';
import { articles, type DemoArticle } from './articles.ts';
import type { Books } from './books.ts';
import type { Calendar } from './calendar.ts';
import { company, dimensions, settings } from './company.ts';
import { customers } from './customers.ts';
import { suppliers } from './suppliers.ts';

const wholeYear = (year: number): YearSpan => ({
  year,
  start: `${year}-01-01`,
  end: `${year}-12-31`,
});

export async function setUpCompany(tx: Tx, { year }: Calendar, actor: string): Promise<void> {
  const { name, organizationNumber } = company;
  const fiscalYear = wholeYear(year - 1);
  const input = { company: name, organizationNumber, fiscalYear, owner: null, isDemo: true };
  await setUp(tx, input, actor);
  await createYear(tx, wholeYear(year), actor);
  for (const [setting, value] of settings) await changeSetting(tx, setting, value, actor);
}

export async function fillRegisters(
  tx: Tx,
  { bookkeeper }: Books['actors'],
): Promise<Pick<Books, 'customerIds' | 'dimensionIds'>> {
  const customerIds = new Map<string, string>();
  for (const customer of customers) {
    customerIds.set(customer.key, (await insertCustomer(tx, customer, customer.id)).id);
  }
  const dimensionIds = new Map<string, string>();
  for (const dimension of dimensions) {
    dimensionIds.set(dimension.code, (await createDimension(tx, dimension, bookkeeper)).id);
  }
  for (const article of articles as readonly DemoArticle[]) {
    const { number, description, supply, account, price, isActive = true } = article;
    const unitPriceE4 = BigInt(price) * 10_000n;
    const facts = { description, supply, account, unitPriceE4, unit: null, externalId: null };
    await createArticle(tx, number, facts, bookkeeper);
    if (!isActive) await changeArticle(tx, number, { ...facts, isActive }, bookkeeper);
  }
  for (const { payTo, supply, ...supplier } of suppliers) {
    const kind = supplier.countryCode === 'SE' ? 'bankgiro' : 'iban';
    const accounts = [{ kind, number: payTo }] as const;
    const { id } = await createSupplier(tx, { ...supplier, accounts }, bookkeeper);
    if (supply) await markSupplier(tx, id, { ...unmarked, supply }, bookkeeper);
  }
  return { customerIds, dimensionIds };
}

/** Customers that are not to be sold to any more, once everything has been. */
export async function retireCustomers({ tx, customerIds }: Books): Promise<void> {
  for (const { key, isActive } of customers) {
    if (isActive === false) await deactivateCustomer(tx, customerIds.get(key) ?? '');
  }
}
