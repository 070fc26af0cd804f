export const balancesInSwedish: Readonly<Record<string, string>> = {
  'Read balances of accounts by month': 'Läs kontons saldon månad för månad',
  'Of each account and month what stood as it began, what was posted and what stood as it ended. A month in which an account stood at nothing and nothing was posted on it is left out. Everything that is posted counts, each page as of when it is asked for.':
    'För varje konto och månad vad som stod när den började, vad som bokfördes och vad som stod när den slutade. En månad då ett konto stod på noll och inget bokfördes på det utelämnas. Allt som är bokfört räknas, varje sida som det är när den frågas efter.',
  'The name of the account; with include=account_names': 'Kontots namn; med include=account_names',
  'YYYY-MM; fiscal years are of whole months': 'ÅÅÅÅ-MM; räkenskapsår är hela månader',
  'As the month begins; accounts from 3000 begin each fiscal year at 0. Debit is above zero':
    'När månaden börjar; konton från 3000 börjar varje räkenskapsår på 0. Debet är över noll',
  'Posted in debit in the month': 'Bokfört i debet under månaden',
  'Posted in credit in the month': 'Bokfört i kredit under månaden',
  'As the month ends: opening + debit − credit': 'När månaden slutar: opening + debit − credit',
  'What an account came to in a month, in kronor': 'Vad ett konto blev en månad, i kronor',
  'A page of balances, by account and month': 'En sida saldon, efter konto och månad',
  'Only this account; several as ?konto=…&konto=…, at most 100':
    'Bara det kontot; flera som ?konto=…&konto=…, högst 100',
  'The first month': 'Första månaden',
  'The last month; the last that anything is posted in when it is left out':
    'Sista månaden; den sista som något är bokfört i när den utelämnas',
  'Only months of that fiscal year, as in rakenskapsar':
    'Bara månader i det räkenskapsåret, som i rakenskapsar',
  'Only what is posted with the cost centre or project, by its id':
    'Bara det som är bokfört med kostnadsstället eller projektet, efter dess id',
  'Balances a page': 'Saldon per sida',
  'account_names: the name of each account, beside its number':
    'account_names: varje kontos namn, bredvid numret',
  'account_names: the name of each account; dimensions: cost centre and project of each row, with code and name. Both as ?include=account_names&include=dimensions':
    'account_names: varje kontos namn; dimensions: varje rads kostnadsställe och projekt, med kod och namn. Båda som ?include=account_names&include=dimensions',
  'Code of the cost centre; with include=dimensions':
    'Kostnadsställets kod; med include=dimensions',
  'Name of the cost centre; with include=dimensions':
    'Kostnadsställets namn; med include=dimensions',
  'Code of the project; with include=dimensions': 'Projektets kod; med include=dimensions',
  'Name of the project; with include=dimensions': 'Projektets namn; med include=dimensions',
};
