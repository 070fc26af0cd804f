/** The fields of the first visit. A company that is there already is not asked for again. */
import { formatOrganizationNumber } from '../../domain/basics/identifiers.ts';
import type { SieChart } from '../../domain/ledger/sie/chart.ts';
import { field } from '../fields.ts';
import type { FormInput } from '../visit.ts';

type CompanyField = 'company' | 'organizationNumber' | 'method' | 'yearStart' | 'yearEnd';

/** The first step when the chart comes out of a SIE file. */
export const fileField = (input: FormInput) =>
  field(input, 'file', 'SIE-fil', {
    type: 'file',
    accept: '.se,.si,.sie,text/plain',
    isRequired: true,
    help: 'Av vilken typ som helst; kontoplanen läses, inte verifikaten.',
  });

/** What the SIE file says stands there from the beginning. */
export function companyFields(input: FormInput, sie: SieChart | undefined, year: string) {
  return {
    company: field(input, 'company', 'Företagets namn', {
      isRequired: true,
      value: sie?.company ?? '',
      maxLength: 200,
      autocomplete: 'organization',
    }),
    organizationNumber: field(input, 'organizationNumber', 'Organisationsnummer', {
      isRequired: true,
      value: sie?.organizationNumber ? formatOrganizationNumber(sie.organizationNumber) : '',
      maxLength: 20,
      placeholder: '556036-0793',
      help: 'Enskild firma: personnumret. Huvudbok är byggt för aktiebolag och enskilda firmor; andra företagsformers eget kapital kan det inte föra om.',
    }),
    method: field(input, 'method', 'Bokföringsmetod', {
      type: 'radios',
      isRequired: true,
      value: 'invoice',
      options: [
        {
          value: 'invoice',
          label: 'Faktureringsmetoden',
          help: 'Fakturor bokförs när de kommer eller skickas.',
        },
        {
          value: 'cash',
          label: 'Kontantmetoden (bokslutsmetoden)',
          help: 'Fakturor bokförs när de betalas. Det kan Huvudbok inte.',
        },
      ],
    }),
    yearStart: field(input, 'yearStart', 'Räkenskapsårets första dag', {
      type: 'date',
      value: sie?.fiscalYear?.start ?? '',
      help: `Tomt: kalenderåret ${year}.`,
    }),
    yearEnd: field(input, 'yearEnd', 'Räkenskapsårets sista dag', {
      type: 'date',
      value: sie?.fiscalYear?.end ?? '',
      help: 'Tolv hela månader; det första året får vara kortare, eller upp till arton.',
    }),
  };
}

export function noCompanyFields(input: FormInput): ReturnType<typeof companyFields> {
  const none = (name: CompanyField) => field(input, name, '', { type: 'hidden' });
  return {
    company: none('company'),
    organizationNumber: none('organizationNumber'),
    method: none('method'),
    yearStart: none('yearStart'),
    yearEnd: none('yearEnd'),
  };
}

export const ownerFields = (input: FormInput) => ({
  ownerName: field(input, 'ownerName', 'Ditt namn', {
    isRequired: true,
    maxLength: 200,
    autocomplete: 'name',
  }),
  email: field(input, 'email', 'E-postadress', {
    type: 'email',
    isRequired: true,
    maxLength: 320,
    autocomplete: 'username',
    help: 'Det du loggar in med.',
  }),
  password: field(input, 'password', 'Lösenord', {
    type: 'password',
    isRequired: true,
    autocomplete: 'new-password',
    help: 'Minst tio tecken. Flera ord efter varandra är lätta att minnas och svåra att gissa.',
  }),
  passwordAgain: field(input, 'passwordAgain', 'Lösenordet en gång till', {
    type: 'password',
    isRequired: true,
    autocomplete: 'new-password',
  }),
});
