/** What is said of the installation: its company and settings, webhooks, PDFs, and a database that cannot answer. */
import type { Given, Sentences } from './words.ts';

export const installationSentences = {
  // The company.
  not_set_up: {
    page: 'Installationen är inte uppsatt; den som sköter den öppnar adressen för första besöket.',
    command: 'Installationen är inte uppsatt; kör huvudbok setup först.',
  },
  other_company: ({ company }: Given<'company'>) =>
    `Installationen är redan uppsatt för ${company}. Ett annat företag behöver en egen installation (egen DATA_DIR eller databas).`,
  chart_exists:
    'Kontoplanen finns redan: den tas ur en SIE-fil bara när företaget sätts upp. Lägg upp konton under Kontoplan.',
  setting_wrong_form: {
    page: 'Kontrollera värdet: det har inte den form som det ska.',
    command: ({ name, hint }: Given<'name' | 'hint'>) => `${name} ska vara ${hint}.`,
  },
  setting_accounts_missing: {
    page: ({ accounts }: Given<'accounts'>) =>
      `Finns inte i kontoplanen, eller är inaktivt: ${accounts}. Lägg upp eller aktivera det under Kontoplan, eller välj ett annat konto.`,
    command: ({ name, accounts }: Given<'name' | 'accounts'>) =>
      `${name} kan inte gå över konto som inte finns i kontoplanen, eller är inaktivt: ${accounts}. Lägg upp eller aktivera det under Kontoplan, eller välj ett annat.`,
  },
  no_legal_person:
    'Företaget har ett personnummer: en enskild näringsidkare, som deklarerar årsmomsen i maj, eller i februari utan inkomstdeklaration eller med handel inom EU.',
  no_collective_customer: {
    page: 'Kunden finns inte i kundregistret; välj en annan.',
    command: ({ id }: Given<'id'>) => `Det finns ingen kund ${id}.`,
  },

  // Webhooks.
  no_endpoint: {
    page: 'Webhooken finns inte.',
    command: ({ id }: Given<'id'>) => `Det finns ingen webhook ${id}; se huvudbok webhook list.`,
  },
  endpoint_secret_unreadable:
    'Webhookens hemlighet kan inte läsas med SECRETS_KEY. Ge den en ny hemlighet och slå på den sedan.',
  no_delivery: {
    page: 'Leveransen finns inte.',
    command: ({ id }: Given<'id'>) =>
      `Det finns ingen leverans ${id}; se huvudbok webhook deliveries <id>.`,
  },
  url_incomplete: 'Ange en fullständig adress, t.ex. https://exempel.se/webhook.',
  url_with_password: 'Adressen får inte innehålla lösenord.',
  url_with_fragment: 'Adressen får inte ha något efter #.',
  url_not_https: 'Adressen ska börja med https://.',
  url_not_public: ({ host }: Given<'host'>) =>
    `${host} är ingen publik adress. Tillåt nätet med WEBHOOK_PRIVATE_NETWORKS om den ska anropas.`,

  // Moving in from another program.
  cash_method_unbuilt:
    'Huvudbok bokför enligt faktureringsmetoden; kontantmetoden (bokslutsmetoden) är inte byggd. Byt metod i det gamla programmet först, eller stanna där.',
  legal_form_unsupported:
    'Huvudbok är byggt för aktiebolag och enskilda firmor. Handelsbolag, föreningar och stiftelser har ett eget kapital som det inte kan föra om.',
  legal_form_differs:
    'Organisationsnumret är ett annat slags företags. Se efter under Inställningar.',
  move_day_ahead: 'Dagen har inte varit än. Flytta när den är bokförd i det gamla programmet.',
  move_day_booked: ({ voucher, date }: Given<'voucher' | 'date'>) =>
    `Här är redan bokfört ${date} (${voucher}). Välj en dag före det; till och med den dagen är allt bokfört i det gamla programmet.`,
  move_day_has_items:
    'Fakturor är övertagna enligt den dag som gäller. Ta bort dem innan dagen ändras.',
  no_move_day:
    'Säg först vilken som är sista dagen i det gamla programmet, och läs in räkenskapsåret den ligger i.',
  report_too_long: 'Rapporten är för lång. Klistra in konton och saldon, högst 10 000 rader.',
  report_unreadable:
    'Inget konto med saldo går att läsa. Varje rad är ett konto med fyra siffror först och saldot sist, ur ett kalkylark eller med semikolon.',
  report_line_unreadable: ({ lineNo, account }: Given<'lineNo' | 'account'>) =>
    `Rad ${lineNo}: saldot för konto ${account} går inte att läsa. Skriv det som 1 234,50.`,

  // PDFs.
  pdf_not_ready: 'PDF:en är inte klar än. Den skapas i bakgrunden; försök igen om en liten stund.',
  nobody_prints: {
    page: 'Ingen skriver ut just nu, så verifikaten kan inte bli PDF. Den som sköter installationen startar worker render (huvudbok start gör det); hämta arkivet sedan.',
    command:
      'Ingen skriver ut, så verifikaten kan inte bli PDF. Kör huvudbok start eller huvudbok worker render, och försök igen.',
  },
  pdf_budget_spent:
    'Du har bett om PDF:er för mer än en gigabyte det senaste dygnet. Försök igen i morgon, eller gör dem med kommandot huvudbok.',
  pdf_too_large: 'Dokumentet är för stort för att skrivas som PDF.',

  // The database.
  cursor_after_restore:
    'Databasen har gått tillbaka till en tidigare tidpunkt, och cursor pekar på händelser som inte längre finns; jämför det ni har fått med bokföringen, och läs vidare från resume_cursor.',
  nul_in_text: 'Anropet innehåller ett tecken som inte kan lagras (NUL).',
  database_full:
    'Det finns ingen plats kvar på databasens disk, så inget kan sparas just nu; försök igen när den som sköter installationen har gjort plats.',
  database_read_only:
    'Databasen går bara att läsa just nu, så inget kan sparas; försök igen strax.',
  database_silent: 'Databasen svarar inte just nu; försök igen strax.',
  database_undecided:
    'Databasen har inte bekräftat en skrivning på flera sekunder: den har för mycket att göra, svarar inte alls, eller väntar på en standby som inte finns (synchronous_standby_names).',
  figures_unreadable: 'Siffrorna kunde inte läsas just nu; försök igen strax.',
} satisfies Sentences;
