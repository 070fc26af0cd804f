/** What is said of what is to be paid, and of files of payments to the bank. */
import { say } from '../language.ts';
import { type Given, kronor, type Sentences } from './words.ts';

/** Why something is not paid by file, beside its name. */
export const obstacleWords = {
  in_file: 'i betalfil',
  paid_otherwise: 'autogiro eller kort',
  currency: 'annan valuta',
  abroad: 'konto utomlands',
} as const;

export const payableSentences = {
  nothing_chosen: {
    page: 'Markera minst en post att betala.',
    command: 'Inget förfaller till och med den dagen som kan betalas med fil.',
    api: 'Inget är valt att betala.',
  },
  no_payable:
    'Posten är inte längre öppen; den kan vara betald eller ändrad. Börja om från listan.',
  payment_day_passed: ({ today }: Given<'today'>) =>
    `Betalningsdagen har varit; välj ${today} eller senare.`,
  not_a_bank_day: ({ date, next }: Given<'date' | 'next'>) =>
    `${date} är ingen bankdag; välj till exempel ${next}.`,
  in_payment_file: ({ number, file }: Given<'number' | 'file'>) =>
    `${number} står redan i betalfil ${file}. Avbryt den först, eller ta bort posten här.`,
  not_payable_paid_otherwise: ({ number }: Given<'number'>) =>
    `${number} betalas med autogiro, kort eller liknande, och ska inte betalas en gång till.`,
  not_payable_abroad: ({ number }: Given<'number'>) =>
    `${number} ska betalas till ett konto utomlands, och det görs inte med fil; betala den hos banken.`,
  not_payable_currency: ({ number }: Given<'number'>) =>
    `${number} är i annan valuta än kronor. Betala den hos banken och registrera betalningen på fakturans sida.`,
  exceeds_payable: ({ number, openOre }: Given<'number' | 'openOre'>) =>
    BigInt(openOre) < 0n
      ? `Av kreditfaktura ${number} återstår ${kronor(-BigInt(openOre))}; skriv högst det, med minus.`
      : `Av ${number} återstår ${kronor(openOre)}; skriv högst det, över noll.`,
  payee_missing: ({ number }: Given<'number'>) =>
    `Skriv vart ${number} ska betalas: bankgiro, plusgiro, IBAN, eller clearing- och kontonummer.`,
  payee_abroad: ({ number }: Given<'number'>) =>
    `${number} är ett konto i ett annat land. Betala det hos banken och registrera betalningen på fakturans sida.`,
  wrong_ocr: ({ number }: Given<'number'>) =>
    `OCR-numret på ${number} har fel kontrollsiffra. Rätta det på fakturan, eller betala den hos banken.`,
  tax_ocr_missing:
    'Företagets OCR-nummer hos Skatteverket saknas. En administratör skriver in det under Inställningar › Företaget.',
  credits_exceed_payment: ({
    number,
    debtOre,
    creditOre,
  }: Given<'number' | 'debtOre' | 'creditOre'>) =>
    `Krediteringarna är ${kronor(creditOre)} men bara ${kronor(debtOre)} betalas till samma konto, så inget blir kvar att betala. Ta bort ${number} här och kvitta på fakturans sida i stället.`,
  no_paying_account:
    'Bankkontot har varken IBAN eller bankgiro, som banken drar betalningen från. Skriv det på kontots sida under Bank.',
  no_payment_file: {
    page: 'Betalfilen finns inte.',
    command: ({ id }: Given<'id'>) => `Det finns ingen betalfil ${id}.`,
    api: 'Betalfilen finns inte.',
  },
  payment_file_taken:
    'Någon annan har just valt samma post. Inget är gjort; se listan och välj igen.',
  payment_file_waits:
    'Filen betalar till ett konto som är nytt sedan förra betalningen, så en andra person ska godkänna den först.',
  payment_file_own: 'Filen är din egen; någon annan ska godkänna den.',
  payment_file_needs_no_yes: 'Filen behöver inget godkännande, eller har redan fått det.',
  payment_file_sent: 'Filen är redan markerad som sänd.',
  payment_file_cancelled: 'Filen är avbruten.',
  payment_file_paid:
    'Något i filen är redan betalt och bokfört, så den kan inte avbrytas. Ångra bokningen på bankradens sida först om det är fel.',
  payment_file_not_sent: 'Filen är inte markerad som sänd; gör det först.',
  paid_before_asked: ({ first }: Given<'first'>) =>
    `Banken skulle betala tidigast ${first}; välj den dagen eller senare.`,
  payment_file_done: 'Inget i filen väntar på att betalas.',
  cancel_reason_missing:
    'Filen är sänd: stoppa den hos banken, och skriv varför den inte ska betalas.',
  payment_in_file: ({ file }: Given<'file'>) =>
    say`Det står i betalfil ${file}, som banken kan betala. Bokför filen som betald på dess sida, eller avbryt den först; annars betalas det två gånger.`,
  bank_answer_unreadable: ({ message }: Given<'message'>) =>
    `Filen går inte att läsa som bankens svar (pain.002). ${message}`,
  bank_answer_unknown: ({ id }: Given<'id'>) => `Svaret gäller filen ${id}, som inte är gjord här.`,
} satisfies Sentences;
