/** The pages of till reports, and why they stop. */
export const tillReports: Readonly<Record<string, string>> = {
  'Ingen dagskassa väntade på att prövas igen.': 'No till report was waiting to be tried again.',
  '{0} {1} prövas igen; ladda om sidan strax.':
    '{0} {1} being tried again; reload the page in a moment.',
  dagskassa: 'till report is',
  dagskassor: 'till reports are',
  'Någon annan har just låtit pröva dagskassan igen.':
    'Somebody else has just had the till report tried again.',
  'Dagskassan är redan bokförd.': 'The till report is already booked.',
  'Dagskassan är avvisad och väntar inte längre på någon.':
    'The till report is dismissed and waits for nobody any more.',
  'Okänd kassa': 'Unknown till',
  'Dagskassa {0}': 'Till report {0}',
  'Sålda presentkort': 'Gift cards sold',
  Dricks: 'Tips',
  Öresavrundning: 'Rounding to öre',
  'Prövad igen': 'Tried again',
  'Be den som skickade rapporten att rätta den och skicka den igen med samma nummer; då bokförs den av sig själv.':
    'Ask whoever sent the report to put it right and send it again with the same number; then it is booked by itself.',
  'Bokför annars dagen för hand, och avvisa rapporten.':
    'Otherwise book the day by hand, and dismiss the report.',
  'Inställningar › Företaget › Kassans konton': 'Settings › Company › Accounts of the till',
  'Summorna stämmer inte': 'The sums do not add up',
  'Annat innehåll': 'Other content',
  'Ta reda på vilken som är kassans egen. Är det den bokförda, avvisa den här; annars tas det verifikatet tillbaka med en rättelse, och den här prövas igen.':
    "Find out which is the till's own. If it is the booked one, dismiss this; otherwise that voucher is taken back by a correction, and this one is tried again.",
  'Framtida datum': 'Date to come',
  'Försök igen när dagen har kommit. {0}': 'Try again when the day has come. {0}',
  'Säg kontot under {0}, och försök igen.': 'Say the account under {0}, and try again.',
  'Kontot går inte att använda': 'The account cannot be used',
  'Lägg upp, aktivera eller rätta kontot i kontoplanen, eller välj ett annat under {0}. Försök sedan igen.':
    'Add, activate or put right the account in the chart of accounts, or choose another under {0}. Then try again.',
  'Låst dag': 'Locked day',
  'Lås upp perioden och försök igen om det går. Är den stängd eller momsen lämnad bokförs dagen för hand i en öppen period, och rapporten avvisas.':
    'Unlock the period and try again if that can be done. If it is closed or its VAT filed, the day is booked by hand in an open period, and the report dismissed.',
  'Går inte att bokföra': 'Cannot be booked',
  'Rätta det som står, och försök igen. {0}': 'Put right what it says, and try again. {0}',
  Tillbakatagen: 'Taken back',
  'Försök igen, så bokförs den på nytt, eller avvisa den.':
    'Try again, and it is booked anew, or dismiss it.',
  'Rapporten stoppades.': 'The report was stopped.',
  'Inget att bokföra': 'Nothing to book',
  'Verifikat {0}.': 'Voucher {0}.',
  'Kassan hade inget att redovisa den dagen.': 'The till had nothing to account for that day.',
  'Kom igen rättad, och den gäller.': 'Came again put right, and that one holds.',
  'Ska inte bokföras.': 'Shall not be booked.',
  '{0} ska vara ett heltal, noll eller mer.': '{0} must be a whole number, zero or more.',
  '{0} är inte SEK. Skicka rapporten i kronor.': '{0} is not SEK. Send the report in kronor.',
  'Betalsätten blir {0}, men försäljning, presentkort, dricks och öresavrundning minus returer blir {1} (skillnad {2}). De ska vara lika på öret.':
    'The means of payment come to {0}, but sales, gift cards, tips and rounding to öre less returns come to {1} (difference {2}). They must be equal to the öre.',
  '{0} är {1}, men kan vara högst {2}: 50 öre per kvitto (lag 1970:1029).':
    '{0} is {1}, but can be at most {2}: 50 öre a receipt (Act 1970:1029).',
  'Momsen till {0} % är {1} enligt kassan, men {2} räknad ur beloppet med moms; de får skilja högst ett halvt öre per kvitto (receiptCount). Kontrollera att beloppen är med moms. En kassa som avrundar momsen per rad utelämnar vat.':
    'The VAT of {0} % is {1} by the till, but {2} calculated from the amount with VAT; they may differ by at most half an öre a receipt (receiptCount). See that the amounts include VAT. A till that rounds the VAT by row leaves vat out.',
  'Z {0} från {1} är redan bokförd med ett annat innehåll. Ta reda på vilken som gäller: rätta verifikatet om det är den här, och avvisa den annars.':
    'Z {0} from {1} is already booked with another content. Find out which holds: correct the voucher if it is this one, and otherwise dismiss it.',
  '{0} är {1}, som ligger utanför alla räkenskapsår. Lägg upp räkenskapsåret, eller be avsändaren rätta datumet.':
    '{0} is {1}, which is outside all fiscal years. Add the fiscal year, or ask the sender to put the date right.',
  '”{0}” har inget konto. Lägg till det under {1}, eller be avsändaren rätta det.':
    '“{0}” has no account. Add it under {1}, or ask the sender to put it right.',
  'Försäljning utan moms har inget konto, eftersom kassan inte säger varför den är momsfri. Skriv det som sales_0 under {0}, till exempel sales_0 3004.':
    'Sales without VAT have no account, since the till does not say why they are exempt. Write it as sales_0 under {0}, sales_0 3004 for example.',
  'Konto {0}, som ”{1}” går över, saknas eller är inaktivt i kontoplanen. Lägg upp eller aktivera det, eller välj ett annat under {2}.':
    'Account {0}, which “{1}” goes by, is missing or inactive in the chart of accounts. Add or activate it, or choose another under {2}.',
  'Konto {0} för försäljningen {1}, eller välj ett annat konto som sales_{2} under {3}.':
    'Account {0} of the sales {1}, or choose another account as sales_{2} under {3}.',
  'Verifikat {0} har tagits tillbaka utan att något har satts i dess ställe. Bokför rapporten igen, eller avvisa den.':
    'Voucher {0} has been taken back without anything in its place. Book the report again, or dismiss it.',
  Dagskassa: 'Till report',
  Kvitton: 'Receipts',
  Originalet: 'The original',
  'Hämta ({{size}})': 'Download ({{size}})',
  'Visa den bokförda': 'Show the booked one',
  'Till inställningarna': 'To the settings',
  'Försäljning minus returer': 'Sales less returns',
  'Försäljning minus returer, per momssats': 'Sales less returns, by VAT rate',
  'Netto, kr': 'Net, kr',
  'Moms, kr': 'VAT, kr',
  'Brutto, kr': 'Gross, kr',
  Betalsätt: 'Means of payment',
  'Betalsätt och kassarörelser': 'Means of payment and movements',
  Kassarörelse: 'Movement',
  'Verifikatet, om den bokfördes nu': 'The voucher, if it were booked now',
  'Verifikatets rader': "The voucher's rows",
  'Rapporten är för lång att visa här; hämta originalet.':
    'The report is too long to be shown here; download the original.',
  'Vad som har hänt, det senaste först': 'What has happened, the latest first',
  'Rapporten ska inte bokföras här. Den stängs och väntar inte längre på någon.':
    'The report shall not be booked here. It is closed and waits for nobody any more.',
  'Kassornas Z-rapporter, som de kom. Var och en blir ett verifikat med rapporten som underlag.':
    "The tills' Z reports, as they came. Each becomes a voucher with the report as its document.",
  'Vilka dagskassor': 'Which till reports',
  'Z-nummer som saknas': 'Z numbers that are missing',
  'Kassan har gått förbi dem, men rapporterna har inte kommit.':
    'The till has passed them, but the reports have not come.',
  'Försök igen med alla': 'Try all again',
  '{{tab.label}}, senast mottagna först': '{{tab.label}}, the latest received first',
  Kassa: 'Till',
  'Försäljning, kr': 'Sales, kr',
  'Vad det blev': 'What it became',
  'Ingen dagskassa väntar på dig': 'No till report is waiting for you',
  'Hit kommer Z-rapporter som inte kunde bokföras av sig själva, med orsaken.':
    'Here come Z reports that could not be booked by themselves, with the reason.',
  'Se alla': 'See all',
  'Ingen dagskassa har kommit än': 'No till report has come yet',
  'Kassasystemet skickar sina Z-rapporter till POST /api/inbound/dagskassa med en API-nyckel som får lämna in, eller läs in en fil med huvudbok till-report add.':
    'The till system sends its Z reports to POST /api/inbound/dagskassa with an API key that hands in, or import a file with huvudbok till-report add.',
  'Dagskassan finns inte.': 'The till report does not exist.',
  'Dagskassan är inte stoppad: den prövas just nu eller är bokförd.':
    'The till report is not stopped: it is being judged or is booked.',
  'Något i rapporten saknas eller är felskrivet, så den går inte att läsa.':
    'Something in the report is missing or misspelt, so it cannot be read.',
  'Rapportens egna summor går inte ihop: försäljningen mot betalsätten, momsen eller öresavrundningen.':
    "The report's own sums do not add up: the sales against the means of payment, the VAT or the rounding to öre.",
  'Kassans Z-rapport med det numret är redan bokförd, och den här har ett annat innehåll.':
    "The till's Z report of that number is already booked, and this one has another content.",
  'Rapporten är daterad en dag som inte har kommit.':
    'The report is dated a day that has not come.',
  'Rapportens datum ligger utanför alla räkenskapsår.':
    "The report's date is outside all fiscal years.",
  'Ett betalsätt eller en kassarörelse i rapporten har inget konto.':
    'A means of payment or a movement of the report has no account.',
  'Ett konto som rapporten ska bokföras på saknas, är inaktivt eller har fel momskod.':
    'An account that the report is to be booked on is missing, inactive or has the wrong VAT code.',
  'Rapportens datum är låst.': "The report's date is locked.",
  'Rapporten går inte att bokföra som den är.': 'The report cannot be booked as it is.',
  'Rapportens verifikat har tagits tillbaka utan att något har satts i dess ställe.':
    "The report's voucher has been taken back without anything in its place.",
  'till-report|Avvisa': 'Dismiss',
  'till-report|Avvisa med orsak': 'Dismiss with a reason',
  'till-report|Avvisad:': 'Dismissed:',
  'till-report|Order': 'Orders',
  'till-reports|Order': 'Orders',
};
