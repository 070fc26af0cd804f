/** The article register. */
import { z } from 'zod';
import { isGiftCardAccount } from '../../domain/sales/gift-card.ts';
import { listUsableAccounts } from '../../ledger/accounts/store.ts';
import {
  type Article,
  changeArticle,
  createArticle,
  getArticle,
  isArticleUsed,
  listArticles,
  removeArticle,
} from '../../sales/articles/store.ts';
import { field, formOf } from '../fields.ts';
import { textOf } from '../form-fields.ts';
import { e4Text, priceText } from '../format.ts';
import {
  choice,
  e4,
  externalId,
  integer,
  optional,
  optionalText,
  text,
  ticked,
} from '../inputs.ts';
import { namedOutside } from '../named-outside.ts';
import type { Pages } from '../page.ts';
import type { FormInput, View, Visit } from '../visit.ts';
import { asStored, pageRows, registerPageOf, textPlace } from './lists.ts';

const supplies = { goods: 'Vara', services: 'Tjänst' } as const;
const params = z.object({ number: z.string().min(1).max(100) });
type Named = { number: string };

const price = e4.refine((value) => value > -100_000_000_000_000n && value < 100_000_000_000_000n, {
  error: 'Priset är för stort.',
});
const facts = {
  description: text(500),
  supply: choice(['goods', 'services']),
  account: optional(integer(1000, 8999)),
  unitPriceE4: optional(price),
  unit: optionalText(20),
  externalId,
};

export function registerArticlePages(pages: Pages): void {
  pages.show({ url: '/artiklar', right: 'read', show: showArticles });
  pages.form({
    url: '/artiklar/ny',
    right: 'keep_books',
    fields: z.object({ ...facts, number: text(100) }),
    show: (visit, input) => articleView(visit, input, undefined),
    perform: async ({ tx, person }, { number, ...values }) => {
      await createArticle(tx, number, values, person.actor);
      const made = { value: number };
      return { to: '/artiklar', notice: `Artikel ${number} är upplagd.`, made };
    },
  });
  pages.form({
    url: '/artiklar/:number',
    changesStored: true,
    right: 'keep_books',
    params,
    fields: z.object({ ...facts, isActive: ticked }),
    show: showArticle,
    perform: async ({ tx, person, params: { number } }, values) => {
      await changeArticle(tx, number, values, person.actor);
      return { to: '/artiklar', notice: `Artikel ${number} är sparad.` };
    },
  });
  pages.act({
    url: '/artiklar/:number/ta-bort',
    right: 'keep_books',
    params,
    show: (visit, input) => showArticle(visit, asStored(input)),
    perform: async ({ tx, person, params: { number } }) => {
      await getArticle(tx, number);
      await removeArticle(tx, number, person.actor);
      return { to: '/artiklar', notice: `Artikel ${number} är borttagen.` };
    },
  });
}

async function showArticles({ tx, query }: Visit): Promise<View> {
  const { rows, around } = await registerPageOf(query, {
    path: '/artiklar',
    placeSchema: textPlace,
    list: (filter, place) => listArticles(tx, filter, place, pageRows),
    placeOfRow: ({ number }) => [number],
  });
  return {
    template: 'articles',
    title: 'Artiklar',
    values: {
      ...around,
      articles: rows.map((row) => ({
        number: row.number,
        path: encodeURIComponent(row.number),
        description: row.description,
        supply: supplies[row.supply],
        account: row.account === null ? '' : `${row.account} ${row.account_name ?? ''}`,
        price: row.unit_price_e4 === null ? '' : priceText(row.unit_price_e4),
        unit: row.unit ?? '',
        isActive: row.is_active,
      })),
    },
  };
}

const showArticle = async (visit: Visit<Named>, input: FormInput): Promise<View> =>
  articleView(visit, input, await getArticle(visit.tx, visit.params.number));

async function articleView(
  { tx, query }: Pick<Visit, 'tx' | 'query'>,
  input: FormInput,
  article: Article | undefined,
): Promise<View> {
  return {
    template: 'article',
    title: article ? `Artikel ${article.number}` : 'Ny artikel',
    values: {
      form: articleForm(input, article, textOf(query, 'nummer')),
      path: article ? encodeURIComponent(article.number) : null,
      canBeRemoved: article ? !(await isArticleUsed(tx, article.number)) : false,
      accounts: (await listUsableAccounts(tx)).filter(
        ({ number }) => (number >= 3000 && number < 4000) || isGiftCardAccount(number),
      ),
    },
  };
}

/** `number` is what a form that asks for a new one calls it. */
function articleForm(input: FormInput, article: Article | undefined, number: string) {
  const unitPrice = article?.unit_price_e4;
  return formOf(input, {
    number: field(input, 'number', 'Nummer', {
      isRequired: true,
      isFirst: !input.isSent && article === undefined,
      maxLength: 100,
      value: article?.number ?? number,
      isReadOnly: article !== undefined,
      help: article
        ? 'Numret ändras inte, eftersom fakturor och butiker använder det.'
        : 'Samma nummer som i butiken (articleNumber), så att order hittar hit.',
    }),
    description: field(input, 'description', 'Benämning', {
      isRequired: true,
      maxLength: 500,
      value: article?.description ?? '',
    }),
    supply: field(input, 'supply', 'Slag', {
      type: 'radios',
      value: article?.supply ?? 'goods',
      options: [
        { value: 'goods', label: 'Vara' },
        { value: 'services', label: 'Tjänst' },
      ],
      help: 'Avgör kontot vid försäljning till andra länder.',
    }),
    unitPriceE4: field(input, 'unitPriceE4', 'Pris utan moms, kr', {
      type: 'amount',
      maxLength: 20,
      value: unitPrice === null || unitPrice === undefined ? '' : e4Text(unitPrice),
      help: 'Föreslås på nya fakturarader.',
    }),
    unit: field(input, 'unit', 'Enhet', {
      maxLength: 20,
      value: article?.unit ?? '',
      placeholder: 'st, tim, kg',
    }),
    account: field(input, 'account', 'Intäktskonto', {
      maxLength: 4,
      list: 'accounts',
      value: article?.account?.toString() ?? '',
      help: 'Tomt väljer kontot efter köpare och momssats. Kontot bestämmer också momsen. Presentkort säljs på 2421.',
    }),
    ...namedOutside(input, article?.external_id),
    isActive: field(input, 'isActive', 'Får säljas', {
      type: article ? 'checkbox' : 'hidden',
      value: !article || article.is_active ? 'on' : null,
    }),
  });
}
