/** The conditions of a month end in words, each with the pages where what fails is dealt with. */
import type { Db } from '../../../db/pool.ts';
import type { Ore } from '../../../domain/basics/money.ts';
import { monthConditions } from '../../../domain/ledger/month-conditions.ts';
import { unsettledVat } from '../../../domain/ledger/vat-settlement.ts';
import { labelOf } from '../../../domain/ledger/voucher.ts';
import {
  type Culprit,
  type Culprits,
  compareLedger,
  listBookFaults,
  listCashShortfalls,
  listInvoiceDrafts,
  listStatementFaults,
  listStoppedOrders,
  listStoppedTillReports,
  listStrangers,
  listSuspense,
  listUnmatched,
  listUnposted,
  listWaitingPurchases,
  type MonthSpan,
} from '../../../ledger/months/store.ts';
import { listMendedPeriods } from '../../../ledger/vat-filings/assignment-store.ts';
import { findFiling, listVatOfPeriod } from '../../../ledger/vat-filings/store.ts';
import { findVouchers } from '../../../ledger/vouchers/list-store.ts';
import { kronor } from '../../format.ts';

/** What stands in the way: a sentence, and links to each thing. */
export interface Obstacle {
  readonly text: string;
  readonly links: readonly {
    readonly href: string;
    readonly text: string;
    readonly note: string;
  }[];
  /** Where all of them are. */
  readonly all: { readonly href: string; readonly text: string } | null;
}

interface Condition {
  /** In running text. */
  readonly name: string;
  readonly label: string;
  /** What holds when it is met. */
  readonly met: string;
  /** What is said instead where it is met because there is nothing to compare with. */
  readonly uncompared?: string;
  readonly obstacles: (db: Db, month: MonthSpan) => Promise<readonly Obstacle[]>;
}

const linksTo = (page: string, { shown }: Culprits, unnamed = '') =>
  shown.map(({ id, label, date }: Culprit) => ({
    href: `${page}/${id}`,
    text: label.trim() || unnamed,
    note: date,
  }));

/** Things that wait in a list of their own. */
const waiting = (
  text: string,
  page: string,
  found: Culprits,
  all: Obstacle['all'],
  unnamed = 'Utan namn',
): Obstacle[] =>
  found.shown.length === 0
    ? []
    : [{ text, links: linksTo(page, found, unnamed), all: found.isMore ? all : null }];

const difference = (what: string, open: Ore, account: number, balance: Ore): string =>
  `${what} var när månaden slutade tillsammans ${kronor(open)}, men konto ${account} stod på ${kronor(balance)}: det skiljer ${kronor(balance - open)}.`;

/** In the order agencies know them (docs/glossary.md). */
export const conditions: Readonly<Record<string, Condition>> = {
  bank: {
    name: 'bank',
    label: 'Bank',
    met: monthConditions.bank,
    uncompared:
      'Ingen bankrad väntar. Inget saldo är antecknat från banken, så det jämförs inte med bokföringen.',
    obstacles: async (db, month) => [
      ...waiting(
        'Bankrader utan verifikat:',
        '/bank',
        await listUnmatched(db, month),
        {
          href: '/bank',
          text: 'Alla bankrader utan verifikat',
        },
        'Utan text',
      ),
      ...(await listStatementFaults(db, month)).map(
        (fault): Obstacle => ({
          text:
            fault.closing_date < month.first
              ? `${fault.name}: bankens senaste saldo är från ${fault.closing_date}.`
              : `${fault.name}: den ${fault.closing_date} säger banken ${kronor(fault.balance_ore)} och bokföringen ${kronor(fault.ledger_ore)}.`,
          links: [
            // Where everybody may look, and whoever keeps the books finds the way on.
            { href: '/bank', text: 'Bankkontots saldon', note: '' },
          ],
          all: null,
        }),
      ),
    ],
  },
  underlag: {
    name: 'underlag',
    label: 'Underlag',
    met: monthConditions.underlag,
    obstacles: async (db, { first, last }) => {
      const filter = { from: first, to: last, lacksDocument: true };
      const { vouchers } = await findVouchers(db, filter, undefined, { limit: 5 });
      return [
        {
          text: 'Verifikat utan underlag:',
          links: vouchers.map((one) => ({
            href: `/verifikat/${one.id}`,
            text: `${labelOf(one)} ${one.description}`,
            note: one.date,
          })),
          all: {
            href: `/verifikat?fran=${first}&till=${last}&underlag=saknas`,
            text: 'Alla utan underlag i månaden',
          },
        },
      ];
    },
  },
  leverantorsinkorg: {
    name: 'leverantörsinkorg',
    label: 'Leverantörsinkorg',
    met: monthConditions.leverantorsinkorg,
    obstacles: async (db, month) =>
      waiting(
        'Leverantörsfakturor att ta ställning till:',
        '/leverantorsinkorg',
        await listWaitingPurchases(db, month),
        { href: '/leverantorsinkorg', text: 'Hela inkorgen' },
      ),
  },
  orderinkorg: {
    name: 'orderinkorg',
    label: 'Orderinkorg',
    met: monthConditions.orderinkorg,
    obstacles: async (db, month) =>
      waiting(
        'Order som har stannat:',
        '/order',
        await listStoppedOrders(db, month),
        {
          href: '/order',
          text: 'Alla som har stannat',
        },
        'Order utan nummer',
      ),
  },
  kundfakturor: {
    name: 'kundfakturor',
    label: 'Kundfakturor',
    met: monthConditions.kundfakturor,
    obstacles: async (db, month) =>
      waiting('Utkast som inte är bokförda:', '/kundfakturor', await listInvoiceDrafts(db, month), {
        href: '/kundfakturor?flik=utkast',
        text: 'Alla utkast',
      }),
  },
  kundreskontra: {
    name: 'kundreskontra',
    label: 'Kundreskontra',
    met: monthConditions.kundreskontra,
    uncompared: 'Ingen kundfaktura är bokförd här, så konto 1510 jämförs inte.',
    obstacles: async (db, month) => {
      const { open_ore, balance_ore } = await compareLedger(db, 'receivables', month);
      const found = await listStrangers(db, month, 1510, ['invoice', 'payment', 'reminder']);
      return [
        {
          text: `${difference('Öppna kundfakturor', open_ore, 1510, balance_ore)} Verifikat på 1510 som ingen faktura eller betalning har gett:`,
          links: linksTo('/verifikat', found),
          all: { href: '/kontoplan/1510', text: 'Huvudboken för 1510' },
        },
      ];
    },
  },
  leverantorsreskontra: {
    name: 'leverantörsreskontra',
    label: 'Leverantörsreskontra',
    met: monthConditions.leverantorsreskontra,
    uncompared: 'Ingen leverantörsfaktura är bokförd här, så konto 2440 jämförs inte.',
    obstacles: async (db, month) => {
      const { open_ore, balance_ore } = await compareLedger(db, 'payables', month);
      const found = await listStrangers(db, month, 2440, [
        'supplier_invoice',
        'purchase_by_hand',
        'supplier_payment',
        'payment',
      ]);
      return [
        {
          text: `${difference('Öppna leverantörsfakturor', open_ore, 2440, balance_ore)} Verifikat på 2440 som ingen faktura eller betalning har gett:`,
          links: linksTo('/verifikat', found),
          all: { href: '/kontoplan/2440', text: 'Huvudboken för 2440' },
        },
      ];
    },
  },
  moms: {
    name: 'moms',
    label: 'Moms',
    met: monthConditions.moms,
    obstacles: async (db, { last }) => {
      const href = `/moms/${last}`;
      const one = (text: string, way: string): Obstacle => ({
        text,
        links: [{ href, text: way, note: '' }],
        all: null,
      });
      const filing = await findFiling(db, last);
      if (!filing) {
        return [
          one(
            'En momsperiod slutar med månaden och är inte antecknad som lämnad.',
            'Boka om momsen och anteckna deklarationen',
          ),
        ];
      }
      const left = unsettledVat(await listVatOfPeriod(db, filing));
      const isMended = (await listMendedPeriods(db)).includes(last);
      return [
        ...(left.length === 0
          ? []
          : [
              one(
                `Momsdeklarationen är lämnad, men periodens moms står kvar på ${left.map(({ account }) => account).join(', ')}.`,
                'Boka om momsen till 2650',
              ),
            ]),
        ...(isMended
          ? [
              one(
                'Den lämnade momsdeklarationen rättas av verifikat som ingen deklaration har med.',
                'Lämna den på nytt',
              ),
            ]
          : []),
      ];
    },
  },
  obs_konto: {
    name: 'OBS-konto',
    label: 'OBS-konto',
    met: monthConditions.obs_konto,
    obstacles: async (db, month) => [
      {
        text: 'Konton där något väntar på att bokas rätt:',
        links: (await listSuspense(db, month)).map(({ account, name, ore }) => ({
          href: `/kontoplan/${account}`,
          text: `${account} ${name}`,
          note: kronor(ore),
        })),
        all: null,
      },
    ],
  },
  verifikationsnummer: {
    name: 'verifikationsnummer',
    label: 'Verifikationsnummer',
    met: monthConditions.verifikationsnummer,
    obstacles: async (db) => [
      {
        text: ['Kontrollen av böckerna fann fel.', ...(await listBookFaults(db))].join(' '),
        links: [
          { href: '/verifikat', text: 'Serierna och deras nummer', note: '' },
          { href: '/handelser?vad=books.verified', text: 'Kontrollerna', note: '' },
        ],
        all: null,
      },
    ],
  },
  kassa: {
    name: 'kassa',
    label: 'Kassa',
    met: monthConditions.kassa,
    obstacles: async (db, month) => {
      const short = await listCashShortfalls(db, month);
      const below = {
        text: 'Mer har betalats ur kassan än det fanns i den; ett underlag saknas eller har fel dag. Lägst:',
        links: short.map(({ account, day, balance_ore }) => ({
          href: `/kontoplan/${account}`,
          text: `konto ${account}, ${kronor(balance_ore)}`,
          note: day,
        })),
        all: null,
      };
      const stopped = waiting(
        'De här dagskassorna har stannat och är inte bokförda:',
        '/dagskassor',
        await listStoppedTillReports(db, month),
        { href: '/dagskassor', text: 'Alla som har stannat' },
      );
      return [...(short.length > 0 ? [below] : []), ...stopped];
    },
  },
  periodisering: {
    name: 'periodisering',
    label: 'Periodiseringar',
    met: monthConditions.periodisering,
    obstacles: async (db, month) =>
      waiting(
        'Det här har fallit ut utan att bokföras:',
        '/periodiseringar',
        await listUnposted(db, month),
        { href: '/periodiseringar', text: 'Alla periodiseringar' },
      ),
  },
};
