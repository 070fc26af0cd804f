export const ossInSwedish: Readonly<Record<string, string>> = {
  'Sales with the VAT of other EU countries, by country and rate':
    'Försäljning med andra EU-länders moms, per land och momssats',
  'What the return in the one stop shop tells for a quarter, from booked invoices and credit notes of orders. What was sold in euro is told as it is; other currencies are converted by `rate`. None of it is in the Swedish VAT return.':
    'Det som deklarationen i One Stop Shop säger för ett kvartal, ur bokförda fakturor och kreditfakturor av order. Det som såldes i euro står som det är; andra valutor räknas om med `rate`. Inget av det är med i den svenska momsdeklarationen.',
  'A quarter of the calendar, as 2026-Q2': 'Ett kvartal i kalendern, som 2026-Q2',
  'How many of a currency one euro is, as SEK:11.2345; several as ?rate=…&rate=…. The rate is what the European Central Bank published for the last day of the quarter':
    'Hur många av en valuta en euro är, som SEK:11.2345; flera som ?rate=…&rate=…. Kursen är den som Europeiska centralbanken publicerade för kvartalets sista dag',
  'ISO 3166-1; the return itself writes EL for GR':
    'ISO 3166-1; själva deklarationen skriver EL för GR',
  'Last day of the month after the quarter': 'Sista dagen i månaden efter kvartalet',
  'Of that country, per cent': 'Det landets, i procent',
  'As it was asked for': 'Som det efterfrågades',
  'Sales of the quarter, less what was credited in it':
    'Kvartalets försäljning, minus det som krediterades i det',
  'What is told of earlier quarters': 'Det som sägs om tidigare kvartal',
  'null while the rate of a currency is not given': 'null tills en valutas kurs är given',
  'The same in each currency that it was sold in':
    'Samma sak i var och en av valutorna det såldes i',
  'What a country has at one VAT rate': 'Vad ett land har på en momssats',
  'What it corrects, as 2026-Q1': 'Vad den rättar, som 2026-Q1',
  'Below zero when the VAT was too much': 'Under noll när momsen var för hög',
  'What credit notes of the quarter change of an earlier one':
    'Det som kvartalets kreditfakturor ändrar i ett tidigare',
  'Of lines and corrections together': 'Rader och rättelser tillsammans',
  'To pay; null while the rate of a currency is not given':
    'Att betala; null tills en valutas kurs är given',
  'What the quarter has posted on account 2670, payments and vouchers by hand too':
    'Det som kvartalet har bokfört på konto 2670, också betalningar och verifikat för hand',
  'Those that need a rate': 'De som behöver en kurs',
  'What is filed in the one stop shop for the quarter':
    'Det som lämnas i One Stop Shop för kvartalet',
};
