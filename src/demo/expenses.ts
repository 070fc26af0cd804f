/** Small purchases of the example company, paid by card and posted by hand. */
import type { PlannedVoucher } from './books.ts';
import { workdayIn } from './calendar.ts';
import type { Random } from './random.ts';
import { against, bank, bought, voucher } from './voucher-parts.ts';

interface Expense {
  readonly description: string;
  readonly counterparty: string;
  readonly account: number;
  /** Kronor without VAT. */
  readonly net: readonly [from: number, to: number];
  /** 25 unless it says so. */
  readonly vatRate?: 0 | 6;
  readonly costCenter?: string;
  readonly project?: string;
}

const everyday: readonly Expense[] = [
  {
    description: 'Drivmedel servicebilen',
    counterparty: 'Macken i Teg',
    account: 5611,
    net: [480, 890],
    costCenter: '30',
  },
  {
    description: 'Reservdelar',
    counterparty: 'Rör & Packning i Umeå',
    account: 4010,
    net: [600, 4_800],
    costCenter: '30',
  },
  {
    description: 'Kontorsmaterial',
    counterparty: 'Pappershuset',
    account: 6110,
    net: [180, 950],
    costCenter: '40',
  },
  {
    description: 'Porto',
    counterparty: 'Postombudet',
    account: 6250,
    net: [90, 420],
    // Stamps of the universal postal service carry no VAT.
    vatRate: 0,
    costCenter: '20',
  },
  {
    description: 'Annons i sociala medier',
    counterparty: 'Byrån Bild & Ord',
    account: 5910,
    net: [2_400, 7_800],
    costCenter: '20',
  },
  {
    description: 'Förbrukningsmaterial butik',
    counterparty: 'Järnhandeln Nilsson',
    account: 5460,
    net: [240, 1_600],
    costCenter: '10',
  },
  {
    description: 'Handverktyg',
    counterparty: 'Järnhandeln Nilsson',
    account: 5410,
    net: [700, 3_900],
    costCenter: '30',
  },
  {
    description: 'Tågbiljetter kundbesök',
    counterparty: 'Norrtåg',
    account: 5810,
    net: [420, 1_900],
    // Carriage of persons (mervärdesskattelagen 9 kap.).
    vatRate: 6,
    costCenter: '40',
  },
  {
    description: 'Hyllor till nya lagret',
    counterparty: 'Lagerinredning Syd AB',
    account: 5410,
    net: [2_200, 8_900],
    costCenter: '20',
    project: 'LAGER',
  },
  {
    description: 'Monterhyra och tryck, Kaffemässan',
    counterparty: 'Mässhallarna',
    account: 5990,
    net: [3_500, 14_000],
    costCenter: '40',
    project: 'MASSA',
  },
  {
    description: 'Programlicenser',
    counterparty: 'Molntjänsten Norr AB',
    account: 5420,
    net: [600, 1_400],
    costCenter: '40',
  },
];
const expensesInMonth = 11;

export function expenses(month: string, random: Random): PlannedVoucher[] {
  return Array.from({ length: expensesInMonth }, () => {
    const {
      description,
      counterparty,
      account,
      net,
      vatRate = 25,
      ...dimensions
    } = random.pick(everyday);
    const date = workdayIn(month, random.integer(3, 28));
    const netOre = BigInt(random.integer(net[0] * 100, net[1] * 100));
    const rows = against(bank, bought(account, netOre, vatRate, dimensions));
    const document = random.chance(30) ? ('photo' as const) : ('receipt' as const);
    return voucher(date, description, rows, { counterparty, document });
  });
}
