/** The fields of the first visit. A company that is there already is not asked for again. */
import { field } from '../fields.ts';
import type { FormInput } from '../page.ts';

type CompanyField = 'company' | 'organizationNumber' | 'yearStart' | 'yearEnd' | 'file';

export function companyFields(input: FormInput, isSie: boolean, year: string) {
  const orFromFile = isSie ? ' Tomt: som i filen.' : '';
  return {
    file: field(input, 'file', 'SIE-fil', {
      type: isSie ? 'file' : 'hidden',
      accept: '.se,.si,.sie,text/plain',
      isRequired: true,
      help: 'Av vilken typ som helst; kontoplanen läses, inte verifikaten.',
    }),
    company: field(input, 'company', 'Företagets namn', {
      isRequired: !isSie,
      maxLength: 200,
      autocomplete: 'organization',
      ...(isSie ? { help: 'Tomt: som i filen.' } : {}),
    }),
    organizationNumber: field(input, 'organizationNumber', 'Organisationsnummer', {
      isRequired: !isSie,
      maxLength: 20,
      placeholder: '556036-0793',
      help: `Enskild firma: personnumret.${orFromFile}`,
    }),
    yearStart: field(input, 'yearStart', 'Räkenskapsårets första dag', {
      type: 'date',
      help: isSie ? 'Tomt: som i filen.' : `Tomt: kalenderåret ${year}.`,
    }),
    yearEnd: field(input, 'yearEnd', 'Räkenskapsårets sista dag', {
      type: 'date',
      help: 'Tolv hela månader; det första året får vara kortare, eller upp till arton.',
    }),
  };
}

export function noCompanyFields(input: FormInput): ReturnType<typeof companyFields> {
  const none = (name: CompanyField) => field(input, name, '', { type: 'hidden' });
  return {
    file: none('file'),
    company: none('company'),
    organizationNumber: none('organizationNumber'),
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
