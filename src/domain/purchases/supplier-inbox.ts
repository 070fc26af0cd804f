/** What a person should know of a supplier's invoice before it is booked, and whether they must look. */
import { type ExchangeRate, isUnusualRate } from '../basics/exchange-rate.ts';
import { isOcrNumber } from '../basics/luhn.ts';
import type { PayeeAccount, ReceivedInvoice } from './received-invoice.ts';
import type { PostingDoubt } from './supplier-posting.ts';

export interface InboxWarning {
  /** An official rule id, or one of ours (`HB-…`). */
  readonly rule: string;
  readonly level: 'fatal' | 'warning';
  /** Where in the document; empty when it is about the whole of it. */
  readonly path: string;
  readonly message: string;
}

/** What the installation knows of the seller and of the invoice's number. */
export interface InboxSurroundings {
  /** Null when the seller is no supplier of ours. */
  readonly supplier: { readonly name: string; readonly accounts: readonly PayeeAccount[] } | null;
  /** Addressed to the company; otherwise a person has taken it in. */
  readonly isForUs: boolean;
  /** The supplier has sent another document with this number. */
  readonly isNumberKnown: boolean;
  readonly doubts: readonly PostingDoubt[];
}

/** In the order a person should read them. The document's own findings come after these. */
export function inboxWarnings(
  invoice: ReceivedInvoice,
  { supplier, isForUs, isNumberKnown, doubts }: InboxSurroundings,
): InboxWarning[] {
  const warnings: InboxWarning[] = [];
  const warn = (rule: string, message: string, path = ''): void =>
    void warnings.push({ rule, level: 'warning', path, message });

  if (!isForUs) {
    warn(
      'HB-RECEIVER',
      'Dokumentet är ställt till någon annan, och är intaget för hand. Är mottagaren ett nummer som är ert, lägg det bland företagets mottagarnummer.',
    );
  }
  if (invoice.isSelfBilling) {
    warn(
      'HB-SELF-BILLING',
      'Självfaktura: köparen har ställt ut den, så den är en försäljning och inget inköp. Bokför den inte här.',
    );
  }
  if (supplier === null) {
    warn(
      'HB-SUPPLIER-UNKNOWN',
      `${invoice.seller.name} finns inte bland leverantörerna; lägg upp den eller koppla fakturan till en som finns.`,
    );
  }
  if (invoice.kind === 'credit_note') {
    warn('HB-CREDIT-NOTE', 'Kreditfaktura: kontrollera vilken faktura den hör till.');
  } else if (invoice.isCreditNote) {
    warn(
      'HB-CREDIT-NOTE',
      'Kreditfaktura med belopp under noll: den ökar det ni är skyldiga. Kontrollera vad den rättar.',
    );
  }
  if (isNumberKnown) {
    warn(
      'HB-NUMBER-TWICE',
      `Leverantören har redan skickat en faktura med nummer ${invoice.invoiceNumber}, med annat innehåll.`,
    );
  }
  warnings.push(...paymentWarnings(invoice, supplier?.accounts ?? []));
  if (invoice.currency !== 'SEK') {
    warn(
      'HB-FOREIGN-CURRENCY',
      `Fakturan är i ${invoice.currency}; ange kursen, så föreslås raderna i kronor.`,
    );
  }
  if (!invoice.isPeppolBis) {
    warn('HB-NOT-PEPPOL-BIS', 'Dokumentet säger sig inte följa Peppol BIS Billing 3.');
  }
  for (const doubt of doubts) warn(...sentences[doubt]);
  return warnings;
}

/** Of what a person has written, with the accounts that the supplier is known to have. */
export function writtenWarnings(
  { seller, payment }: Paid,
  {
    known,
    rate,
    isOutlayKnown,
  }: {
    readonly known: readonly PayeeAccount[];
    readonly rate: ExchangeRate | null;
    readonly isOutlayKnown: boolean;
  },
): InboxWarning[] {
  const warnings = paymentWarnings({ seller, payment }, known);
  const { reference } = payment;
  const looksLikeOcr = reference !== null && /^[\d ]{6,}$/.test(reference);
  if (looksLikeOcr && !isOcrNumber(reference.replaceAll(' ', ''))) {
    warnings.push({
      rule: 'HB-OCR',
      level: 'warning',
      path: '',
      message: `${reference} är inget OCR-nummer: kontrollsiffran går inte ihop. Läs av det igen, om det inte är ett meddelande.`,
    });
  }
  if (rate !== null && isUnusualRate(rate)) {
    const { currency } = rate;
    warnings.push({
      rule: 'HB-RATE',
      level: 'warning',
      path: '',
      message: `Kursen är ovanlig för ${currency}. Den är kronor för en ${currency}, på fakturadagen.`,
    });
  }
  if (isOutlayKnown) {
    warnings.push({
      rule: 'HB-OUTLAY-TWICE',
      level: 'warning',
      path: '',
      message: `Ett utlägg på samma belopp hos ${seller.name} samma dag finns redan. Är det samma kvitto?`,
    });
  }
  return warnings;
}

type Paid = Pick<ReceivedInvoice, 'payment'> & { readonly seller: { readonly name: string } };

function paymentWarnings(
  { payment, seller }: Paid,
  known: readonly PayeeAccount[],
): InboxWarning[] {
  const warnings: InboxWarning[] = [];
  const warn = (rule: string, message: string): void =>
    void warnings.push({ rule, level: 'warning', path: '', message });
  const isKnown = ({ kind, number }: PayeeAccount): boolean =>
    known.some((account) => account.kind === kind && account.number === number);
  const strange = payment.accounts.filter((account) => !isKnown(account));
  if (known.length > 0 && strange.length > 0) {
    const numbers = strange.map(({ kind, number }) => `${kind} ${number}`).join(', ');
    warn(
      'HB-PAYMENT-CHANGED',
      `Pengarna ska till ett konto som ${seller.name} inte har haft förut (${numbers}). Ring leverantören på ett nummer du redan har.`,
    );
  }
  if (payment.payee !== null) {
    warn(
      'HB-PAYEE-DIFFERS',
      `Betalas till ${payment.payee} och inte till ${seller.name} (factoring eller liknande).`,
    );
  }
  if (payment.isPaidOtherwise) {
    warn('HB-PAID-OTHERWISE', 'Dras med kort eller autogiro; betala den inte en gång till.');
  }
  return warnings;
}

const sentences: Record<PostingDoubt, [rule: string, message: string]> = {
  totals_do_not_add_up: [
    'HB-TOTALS',
    'Fakturans belopp går inte ihop, så inga konteringsrader kan föreslås; kontera den själv.',
  ],
  reverse_charge: [
    'HB-REVERSE-CHARGE',
    'Ni redovisar momsen själva (omvänd betalningsskyldighet). Raderna räknar med 25 % och, om inte dokumentet säger varor (K), med en tjänst. Märk leverantören med vad den säljer, så stannar nästa faktura inte för det.',
  ],
  other_rate: [
    'HB-REVERSE-CHARGE-RATE',
    'Leverantören är märkt med en annan momssats än 25 %; kontrollera att den gäller allt på fakturan.',
  ],
  mark_disagrees: [
    'HB-SUPPLY',
    'Dokumentet säger varor (kategori K), men leverantören är märkt med tjänster; kontrollera raderna.',
  ],
  account_of_other_box: [
    'HB-ACCOUNT-BOX',
    'Kontot som leverantörens inköp bokförs på hör till en annan ruta i momsdeklarationen än den här fakturan; kontrollera raderna.',
  ],
  no_vat_within_eu: [
    'HB-NO-VAT-WITHIN-EU',
    'Säljaren finns i ett annat EU-land och har inte tagit ut moms, men säger inte heller att ni ska redovisa den. Är köpet momspliktigt i Sverige ska ni det: märk leverantören och föreslå rader på nytt.',
  ],
  import_of_goods: [
    'HB-IMPORT',
    'Import av varor: momsen räknas på Tullverkets underlag (tullvärde, tull och frakt), från tullräkningens dag. Ändra beloppen på 4545, 2615 och 2645 efter tullräkningen.',
  ],
  seller_place_unclear: [
    'HB-SELLER-COUNTRY',
    'Säljarens momsnummer och adress säger olika länder, eller inget alls, så det går inte att veta vem som redovisar momsen; kontera den själv.',
  ],
  foreign_vat: [
    'HB-FOREIGN-VAT',
    'Utländsk moms är ingen ingående moms här; den är lagd på kostnaden.',
  ],
  unusual_vat_category: [
    'HB-VAT-CATEGORY',
    'Ovanlig momskategori; kontrollera konteringen av moms.',
  ],
  prepayment: [
    'HB-PREPAYMENT',
    'Förskottsfaktura: beloppet läggs på 1480 tills slutfakturan kommer. Momsen får dras av först när förskottet är betalt; bokför den med betalningsdagen som datum.',
  ],
  prepaid: [
    'HB-PREPAID',
    'En del är redan betald, men ingen bokförd förskottsfaktura svarar mot den. Den är tagen från 1480 i sin helhet; kontrollera kontot och momsen.',
  ],
  prepayment_deducted: [
    'HB-PREPAYMENT-DEDUCTED',
    'Slutfaktura: raderna tar tillbaka förskottsfakturan från 1480, med den moms som drogs av då. Jämför de två.',
  ],
  prepayment_not_deducted: [
    'HB-PREPAYMENT-NOT-DEDUCTED',
    'Fakturan nämner en förskottsfaktura men drar inte av den i beloppet att betala. Är den avdragen på raderna ska 1480 tömmas; kontrollera raderna.',
  ],
};
