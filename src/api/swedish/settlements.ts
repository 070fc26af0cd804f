export const settlementsInSwedish: Readonly<Record<string, string>> = {
  'Whether the same settlement was booked already; the answer is then about that one':
    'Om samma avräkning redan var bokförd; då är det den som svaret gäller',
  'The settlement is booked, once': 'Avräkningen är bokförd, en gång',
  'E.g. Stripe, Klarna, Swedbank Pay': 'T.ex. Stripe, Klarna, Swedbank Pay',
  'The name that the provider has for the settlement; provider and settlementId are booked once':
    'Betaltjänstens eget namn på avräkningen; provider och settlementId bokförs en gång',
  'The day of the voucher': 'Verifikatets dag',
  'The clearing account, 1580–1589 or 1680–1689': 'Avräkningskontot, 1580–1589 eller 1680–1689',
  'Where the provider is established': 'Var betaltjänsten är etablerad',
  'What comes to the bank; minus when money is drawn from there':
    'Det som kommer till banken; minus när pengar dras därifrån',
  'What the bank row says, when it is something else than settlementId':
    'Det som står på bankraden, när det är något annat än settlementId',
  'Together they become payout': 'Blir tillsammans payout',
  'sale: sales; refund: refunds to buyers; fee: fees; fee_vat: Swedish VAT on fees; adjustment: anything else, on an account that is given; reserve: what is withheld (minus) or released (plus)':
    'sale: försäljning; refund: återbetalning till köpare; fee: avgift; fee_vat: svensk moms på avgifter; adjustment: annat, på ett konto som sägs; reserve: det som hålls inne (minus) eller släpps (plus)',
  'Kronor, with the sign of the payout: what lessens it is minus':
    'Kronor, med utbetalningens tecken: det som minskar den är minus',
  'For fee the account of the cost, otherwise 6570; for adjustment it must be given':
    'Av fee kostnadens konto, annars 6570; av adjustment måste det sägas',
  'VAT that you are to account for yourself on a fee from abroad, 25 % of it and above zero; not part of the payout':
    'Moms som ni själva ska redovisa på en avgift från utlandet, 25 % av den och större än noll; ingår inte i utbetalningen',
  'The number of the order or invoice': 'Orderns eller fakturans nummer',
  'Whether the payout is booked': 'Om utbetalningen är bokförd',
  'Whether the voucher has been reversed; the settlement can then be sent again':
    'Om verifikatet är rättat bort; då kan avräkningen skickas igen',
  'A page of settlements, by date': 'En sida avräkningar i datumordning',
  'Read settlements of payment providers with rows and vouchers, by date':
    'Läs betaltjänsters avräkningar med rader och verifikat, i datumordning',
  'Earliest day': 'Tidigaste dag',
  'Latest day': 'Senaste dag',
  'Only settlements whose payout is booked, or only others':
    'Bara avräkningar vars utbetalning är bokförd, eller bara andra',
  'Settlements a page': 'Avräkningar per sida',
  'Book the settlement of a payout by a payment provider':
    'Bokför en betaltjänsts avräkning av en utbetalning',
  'Needs the header Idempotency-Key. One voucher in series A takes the sales from the clearing account, books fees and VAT, and leaves the payout there until the bank row comes; that is matched with the settlement. The rows must come to what is paid out. The same settlement is booked once: when it comes again with another Idempotency-Key duplicate is true, and with other content the call answers 422. With ?dryRun=true everything is checked and nothing is written.':
    'Kräver rubriken Idempotency-Key. Ett verifikat i serie A tar försäljningen från avräkningskontot, bokför avgifter och moms, och lämnar där utbetalningen tills bankraden kommer; den paras ihop med avräkningen. Raderna ska bli det som betalas ut. Samma avräkning bokförs en gång: kommer den igen med annan Idempotency-Key är duplicate true, och med annat innehåll svarar anropet 422. Med ?dryRun=true prövas allt och inget skrivs.',
};
