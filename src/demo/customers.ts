/** The example company's customers, and how each of them buys and pays. */

import { exampleCustomerId } from '../api/invoices/schemas.ts';
import type { NewCustomer } from '../sales/customers/store.ts';
import { madeUpNumber } from './company.ts';

export interface DemoCustomer extends NewCustomer {
  readonly key: string;
  /** Known beforehand, of the one that the API's examples name. */
  readonly id?: string;
  readonly paymentTermsDays: number;
  /** Of all who buy, how many times it is this one. */
  readonly weight: number;
  /** Days after the due date that it pays, at the earliest and latest. */
  readonly pays: readonly [from: number, to: number];
  readonly reference: string;
  readonly isActive?: false;
}

type Place = readonly [address: string, postalCode: string, city: string];

const swedish = (
  index: number,
  key: string,
  name: string,
  [address, postalCode, city]: Place,
  buys: Pick<DemoCustomer, 'id' | 'weight' | 'pays' | 'reference' | 'paymentTermsDays'>,
): DemoCustomer => ({
  key,
  name,
  email: `faktura@${key}.example`,
  organizationNumber: madeUpNumber(100 + index),
  vatNumber: `SE${madeUpNumber(100 + index)}01`,
  address,
  postalCode,
  city,
  phone: `090-555 01 ${10 + index}`,
  ...buys,
});

const prompt = [-6, 2] as const;
const late = [3, 19] as const;

export const customers: readonly DemoCustomer[] = [
  swedish(1, 'kaffekoppen', 'Kaffekoppen i Umeå AB', ['Kungsgatan 48', '903 25', 'Umeå'], {
    id: exampleCustomerId,
    weight: 5,
    pays: prompt,
    reference: 'Sara Nyström',
    paymentTermsDays: 30,
  }),
  swedish(2, 'solglantan', 'Café Solgläntan HB', ['Skolgatan 3', '931 31', 'Skellefteå'], {
    weight: 3,
    pays: late,
    reference: 'Olle Brännström',
    paymentTermsDays: 20,
  }),
  swedish(3, 'alvkanten', 'Hotell Älvkanten AB', ['Strandgatan 1', '903 33', 'Umeå'], {
    weight: 4,
    pays: prompt,
    reference: 'Inköp, ref. 7712',
    paymentTermsDays: 30,
  }),
  swedish(4, 'roda-stugan', 'Konditori Röda Stugan AB', ['Torget 4', '911 32', 'Vännäs'], {
    weight: 3,
    pays: [-2, 6],
    reference: 'Birgitta Lööf',
    paymentTermsDays: 20,
  }),
  swedish(5, 'fjallrestauranger', 'Åre Fjällrestauranger AB', ['Årevägen 80', '837 52', 'Åre'], {
    weight: 4,
    pays: [4, 16],
    reference: 'Kök & bar',
    paymentTermsDays: 30,
  }),
  swedish(6, 'bageri', 'Östersunds Bageri & Café AB', ['Prästgatan 21', '831 31', 'Östersund'], {
    weight: 3,
    pays: prompt,
    reference: 'Maja Hedlund',
    paymentTermsDays: 30,
  }),
  swedish(
    7,
    'sjoboden',
    'Restaurang Sjöboden i Örnsköldsvik AB',
    ['Kajen 2', '891 33', 'Örnsköldsvik'],
    {
      weight: 2,
      pays: late,
      reference: 'Henrik Åström',
      paymentTermsDays: 30,
    },
  ),
  swedish(
    8,
    'folkets-hus',
    'Skellefteå Folkets Hus och Parker med tillhörande konferens-, restaurang- och caféverksamhet ekonomisk förening',
    ['Södra Järnvägsgatan 117', '931 32', 'Skellefteå'],
    {
      weight: 2,
      pays: [0, 4],
      reference: 'Kostnadsställe 4410 / beställare Åsa-Lena Sjöström-Öqvist',
      paymentTermsDays: 30,
    },
  ),
  swedish(9, 'bygg', 'Byggmästarna Ögren & Söner AB', ['Industrivägen 9', '904 22', 'Umeå'], {
    weight: 2,
    pays: [6, 24],
    reference: 'Kontoret',
    paymentTermsDays: 30,
  }),
  swedish(10, 'strandvik', 'Strandviks kommun', ['Kommunhuset', '915 80', 'Strandvik'], {
    weight: 3,
    pays: [-1, 1],
    reference: 'ZZ4018INK',
    paymentTermsDays: 30,
  }),
  swedish(
    11,
    'tandlakarna',
    'Tandläkarna Åkesson & Ljung HB',
    ['Rådhusesplanaden 6', '903 28', 'Umeå'],
    {
      weight: 1,
      pays: prompt,
      reference: 'Receptionen',
      paymentTermsDays: 20,
    },
  ),
  swedish(12, 'advokat', 'Advokatbyrån Bergqvist AB', ['Storgatan 50', '903 26', 'Umeå'], {
    weight: 1,
    pays: prompt,
    reference: 'Kanslichefen',
    paymentTermsDays: 10,
  }),
  {
    ...swedish(13, 'gym', 'Gymkedjan Stark i Norr AB', ['Formvägen 12', '906 21', 'Umeå'], {
      weight: 1,
      pays: [8, 27],
      reference: 'Platschef Teg',
      paymentTermsDays: 30,
    }),
    // Twelve percent a year, by the agreement they signed.
    agreedRateE2: 1_200,
  },
  {
    key: 'pohjola',
    name: 'Pohjolan Kahvi Oy',
    email: 'laskut@pohjolankahvi.example',
    vatNumber: 'FI12345671',
    countryCode: 'FI',
    address: 'Hovioikeudenpuistikko 11',
    postalCode: '65100',
    city: 'Vasa',
    phone: '+358 6 555 0114',
    paymentTermsDays: 30,
    weight: 2,
    pays: prompt,
    reference: 'Juha Mäkinen',
  },
  {
    ...swedish(15, 'napoli', 'Bistro Lilla Napoli AB', ['Västra Esplanaden 2', '903 27', 'Umeå'], {
      weight: 0,
      pays: late,
      reference: 'Enzo',
      paymentTermsDays: 30,
    }),
    isActive: false,
  },
];
