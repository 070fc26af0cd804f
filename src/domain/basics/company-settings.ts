/** The settings of a company, and how people see each: in the form, and where it is told that one was changed. */

export interface ShownSetting {
  readonly label: string;
  readonly type?: 'text' | 'email' | 'select' | 'radios' | 'checkbox';
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly help?: string;
  readonly isRequired?: boolean;
  /** Said when the value has not the setting's form. */
  readonly fault?: string;
}

const shown = {
  'company-name': {
    label: 'Företagets namn',
    fault: 'Skriv företagets namn, högst 200 tecken.',
    isRequired: true,
  },
  'company-address': { label: 'Gatuadress' },
  'company-postal-code': { label: 'Postnummer' },
  'company-city': { label: 'Ort' },
  'company-seat': {
    label: 'Säte',
    help: 'Orten i bolagsordningen. Ett aktiebolag ska ha den på brev och fakturor (ABL 28 kap. 5 §).',
  },
  'company-email': {
    label: 'E-postadress',
    fault: 'Skriv en e-postadress, t.ex. namn@exempel.se.',
    type: 'email',
  },
  'company-phone': { label: 'Telefon' },
  'company-bankgiro': {
    label: 'Bankgiro',
    fault: 'Numret stämmer inte: sju eller åtta siffror, och den sista är en kontrollsiffra.',
    help: 'T.ex. 991-2346.',
  },
  'company-plusgiro': {
    label: 'Plusgiro',
    fault: 'Numret stämmer inte: två till åtta siffror, och den sista är en kontrollsiffra.',
    help: 'T.ex. 12 34 56-6.',
  },
  'company-swish': {
    label: 'Swish',
    fault: 'Numret stämmer inte: tio siffror som börjar med 123.',
    help: 'Företagets nummer, t.ex. 123 456 78 90. Fakturor får då en kod att betala med i Swish.',
  },
  'company-tax-ocr': {
    label: 'OCR-nummer hos Skatteverket',
    fault: 'Numret stämmer inte: 2–25 siffror, och den sista är en kontrollsiffra.',
    help: 'Står på skattekontots sida hos Skatteverket. Betalfiler av skatt och moms bär det till bankgiro 5050-1055.',
  },
  'company-iban': {
    label: 'IBAN',
    fault: 'Numret stämmer inte; kontrollera att alla tecken kom med.',
    help: 'För betalningar från utlandet, t.ex. SE45 5000 0000 0583 9825 7466.',
  },
  'company-f-tax': {
    label: 'Godkänd för F-skatt',
    type: 'checkbox',
    help: 'Står då på fakturorna, så att köparen inte behöver dra av skatt.',
  },
  'company-partner-account': {
    label: 'Kundnummer hos inkassoombudet',
    help: 'Följer med inkassounderlag.',
  },
  'interest-from': {
    label: 'Dröjsmålsränta räknas',
    type: 'select',
    isRequired: true,
    options: [
      { value: 'due_date', label: 'Från förfallodagen, avtalad i förväg' },
      { value: 'demand', label: 'Från 30 dagar efter att fakturan sändes' },
    ],
    help: 'Räntelagen 3 § om förfallodagen är avtalad i förväg, t.ex. i villkoren, annars 4 §. Gäller fakturor som bokförs från nu.',
  },
  'interest-stated': {
    label: 'Fakturorna säger att dröjsmålsränta tas ut',
    type: 'checkbox',
    help: 'Krävs mot konsumenter när förfallodagen inte är avtalad i förväg (räntelagen 4 §).',
  },
  'reminder-fees': {
    label: 'Påminnelseavgift är avtalad',
    type: 'checkbox',
    help: 'Den står i avtal eller villkor innan skulden uppkommer (lag 1981:739, 2 §). Gäller fakturor som bokförs från nu.',
  },
  'reminder-runs': {
    label: 'Påminnelser görs i körningar',
    type: 'checkbox',
    help: 'Under Påminnelser visas då vilka förfallna fakturor det är dags att påminna om. En människa startar varje körning; inget skickas av sig självt.',
  },
  'reminder-days': {
    label: 'Dagar efter förfallodagen för första, andra och tredje påminnelsen',
    fault: 'Skriv ett till tre antal dagar, vart och ett större än det förra, t.ex. 7, 21, 35.',
    isRequired: true,
    help: 'T.ex. 7, 21, 35. Ett tal: en påminnelse. Nästa kommer tidigast när den förras sista betalningsdag har gått ut.',
  },
  'reminder-run-fees': {
    label: 'Körningar tar ut påminnelseavgift, 60 kr',
    type: 'checkbox',
    help: 'Bara på fakturor vars villkor har den avtalad (lag 1981:739, 2 §).',
  },
  'reminder-bank-days': {
    label: 'Bankens uppgifter får vara högst så många dagar gamla',
    fault: 'Skriv ett antal dagar, 0–60, eller lämna tomt.',
    help: 'Annars kan den som har betalat bli påmind. Tomt: betalningar läses inte från banken.',
  },
  'vat-period': {
    label: 'Moms redovisas',
    type: 'select',
    isRequired: true,
    options: [
      { value: 'month', label: 'Varje månad' },
      { value: 'quarter', label: 'Varje kvartal' },
      { value: 'year', label: 'En gång om året' },
    ],
    help: 'Som Skatteverket har beslutat; styr periodernas sista dagar. Ändras när den sista perioden av det gamla slaget är antecknad som lämnad.',
  },
  'vat-large-taxpayer': {
    label: 'Beskattningsunderlaget är över 40 miljoner kronor om året',
    type: 'checkbox',
    help: 'Deklarationen ska då in den 26:e i månaden efter.',
  },
  'vat-yearly': {
    label: 'Den som redovisar en gång om året är',
    type: 'select',
    isRequired: true,
    options: [
      { value: 'legal_person', label: 'Juridisk person, t.ex. aktiebolag' },
      { value: 'sole_trader', label: 'Enskild näringsidkare' },
      {
        value: 'no_income_tax_return_or_eu_trade',
        label: 'Utan inkomstdeklaration, eller med handel inom EU',
      },
    ],
  },
  'vat-digital': { label: 'Årsmomsen deklareras digitalt', type: 'checkbox' },
  'order-supply': {
    label: 'Order gäller oftast',
    type: 'radios',
    options: [
      { value: 'goods', label: 'Varor' },
      { value: 'services', label: 'Tjänster' },
    ],
    help: 'Avgör kontot vid försäljning utomlands. Artikelregistret går före.',
  },
  'order-payment-terms': {
    label: 'Betalningsvillkor, dagar',
    fault: 'Skriv ett antal dagar, 0–90.',
    isRequired: true,
    help: 'När varken order eller kund säger något, 0–90.',
  },
  'order-booking': {
    label: 'Bokför fakturor från order av sig själva',
    type: 'checkbox',
    help: 'Annars väntar de som utkast på en människa.',
  },
  'order-payment-accounts': {
    label: 'Betalsätt',
    fault:
      'Skriv betalsätt och konto, med komma emellan: card 1686, swish 1930. Kontot ska vara ett som pengar kommer över (1900–1999, 1680–1689, 2421), för dricks (tip) en skuld.',
    help: 'Vad butiken kallar betalsätten i order (payments), och kontot för vart och ett. tip är dricks, som inte är företagets.',
  },
  'till-accounts': {
    label: 'Kassans konton',
    fault:
      'Skriv namn och konto, med komma emellan: card 1686, cash 1910. Betalsätt går över konton som pengar kommer över (1900–1999, 1580–1589, 1680–1689, 2421), dricks (tip) är en skuld och försäljning (sales_25, sales_0) en intäkt, 3000–3699.',
    help: 'Vad kassan kallar betalsätt och kassarörelser i sina Z-rapporter, och kontot för vart och ett. En kassas eget konto skrivs kassa-2/cash 1912. Försäljning utan moms behöver ett konto: sales_0 3004.',
  },
  'order-oss': {
    label: 'Ta emot order med andra EU-länders moms (OSS), och i andra valutor',
    type: 'checkbox',
    help: 'När företaget är registrerat för One Stop Shop hos Skatteverket. Momsen bokförs på 2670 och redovisas per land under Moms. Annars stoppas sådana order och väntar på en människa.',
  },
  'order-collective-customer': {
    label: 'Samlingskund',
    help: 'Namnet på den kund som order från okända köpare hamnar på. Tomt: de väntar i orderinkorgen.',
  },
  'e-invoice-booking': {
    label: 'Bokför e-fakturor av sig själva',
    type: 'checkbox',
    help: 'Bara de som ingen behöver se på: känd leverantör, inga anmärkningar, konton ur historiken.',
  },
  'bank-booking': {
    label: 'Bokför säkra bankrader av sig själva',
    type: 'checkbox',
    help: 'Bara de som inte kan läsas på två sätt: rätt OCR-nummer och hela beloppet på en öppen faktura, eller ett verifikat som redan finns. De andra väntar på en människa.',
  },
  'receiver-ids': {
    label: 'Fler mottagarnummer',
    fault: 'Skriv numren som typ:nummer, t.ex. 0088:7300010000001, med komma emellan.',
    help: 'Utöver organisations- och momsnumret, t.ex. 0088:7300010000001. Flera med komma.',
  },
  'purchase-account': {
    label: 'Inköpskonto',
    fault: 'Skriv ett konto, 4000–8999.',
    isRequired: true,
    help: 'När varken leverantör eller historik säger något, 4000–8999.',
  },
  'months-from': {
    label: 'Första månaden att avsluta',
    fault: 'Skriv en månad, ÅÅÅÅ-MM.',
    help: 'ÅÅÅÅ-MM. Tidigare månader avslutades i ett annat program.',
  },
  'moved-on': {
    label: 'Sista dagen i det gamla programmet',
    fault: 'Skriv en dag, ÅÅÅÅ-MM-DD.',
  },
} satisfies Record<string, ShownSetting>;

export type SettingName = keyof typeof shown;

export const shownSettings: Readonly<Record<SettingName, ShownSetting>> = shown;

/** A setting and a value of it as the form calls them; as they are stored when this version knows neither. */
export function settingInWords(name: string, value: string): { name: string; value: string } {
  const shown = Object.hasOwn(shownSettings, name) ? shownSettings[name as SettingName] : undefined;
  const isTicked = shown?.type === 'checkbox';
  const chosen = shown?.options?.find((option) => option.value === value)?.label;
  return {
    name: shown ? `”${shown.label}”` : name,
    value: isTicked ? (value === 'on' ? 'ja' : 'nej') : (chosen ?? (value || 'tomt')),
  };
}
