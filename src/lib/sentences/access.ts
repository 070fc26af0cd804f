/** What is said of keys and their calls, of users, and of passwords and codes. */
import type { Given, Sentences } from './words.ts';

export const accessSentences = {
  // Keys, and the calls made with them.
  unknown_key: 'API-nyckeln är okänd eller har gått ut.',
  key_revoked: 'API-nyckeln är återkallad av ägaren.',
  scope_missing: 'API-nyckeln saknar den behörighet som krävs.',
  role_insufficient: 'Din roll räcker inte till det här.',
  other_body_before:
    'Samma Idempotency-Key har redan använts med en annan kropp; sätt en ny nyckel för ett nytt anrop.',
  same_call_underway:
    'Ett anrop med samma Idempotency-Key behandlas just nu; skicka samma anrop igen strax.',
  no_key: 'Nyckeln finns inte.',
  key_ended: 'Nyckeln gäller inte längre; skapa en ny i stället.',
  key_replaced: 'Nyckeln har redan bytts mot en ny; byt den nya i stället.',
  test_key_needs_demo:
    'Testnycklar fungerar bara mot exempelföretaget, och det här är ett annat företag. Skapa en vanlig nyckel, eller en testnyckel i en installation med exempelföretaget (npm start -- --demo).',
  key_of_environment: 'Hemligheten sätts i driftmiljön och byts där.',
  no_secrets_key: {
    page: 'Servern har ingen nyckel att kryptera hemligheter med (SECRETS_KEY), så den kan inte spara några. Den som sköter installationen ger den en.',
    command:
      'SECRETS_KEY saknas, och utan den kan inga hemligheter sparas. Skapa en med huvudbok secrets create-key och ge alla processer samma, i SECRETS_KEY eller SECRETS_KEY_FILE. Starta sedan om.',
  },

  // Users.
  no_user: 'Användaren finns inte.',
  shut_out_not_invited:
    'Användaren är avstängd, så en länk öppnar ingenting. Släpp in användaren igen först.',
  user_address_taken: {
    page: ({ email }: Given<'email'>) =>
      `${email} har redan en användare. Öppna den i listan: där ändras rollen, och den som är avstängd släpps in igen.`,
    command: ({ email }: Given<'email'>) =>
      `${email} har redan en användare; se huvudbok user list.`,
  },
  last_owner:
    'Det måste alltid finnas minst en aktiv ägare med ett eget lösenord. Gör någon annan till ägare först.',
  password_too_short: ({ lengthMin }: Given<'lengthMin'>) =>
    `Lösenordet ska ha minst ${lengthMin} tecken.`,
  password_too_long: ({ lengthMax }: Given<'lengthMax'>) =>
    `Lösenordet får ha högst ${lengthMax} tecken.`,
  password_repeats: 'Lösenordet upprepar för få tecken; välj ett annat.',
  password_is_run: 'Lösenordet är tecken i följd, som prövas först; välj ett annat.',
  password_is_name:
    'Lösenordet är bara e-postadressen, namnet, företaget eller ett ord som prövas först, med siffror och tecken omkring; välj ett annat.',
  password_same: 'Välj ett annat lösenord än det gamla.',
  password_wrong: 'Lösenordet stämmer inte.',
  too_many_tries: ({ minutes }: Given<'minutes'>) => `För många försök. Vänta ${minutes} min.`,

  // The second factor.
  codes_unreadable:
    'Appens koder kan inte prövas, för servern har inte nyckeln till dem (SECRETS_KEY). Använd en återställningskod.',
  code_wrong: 'Koden stämmer inte, eller är redan använd. Vänta på nästa och försök igen.',
  first_code_wrong:
    'Koden stämmer inte. Kontrollera att telefonens klocka går rätt och skriv den kod som visas nu.',
  secret_unreadable: 'Hemligheten är oläslig. Börja om.',
  second_factor_off: 'Det andra steget är inte på.',
  second_factor_on: 'Det andra steget är redan på.',
} satisfies Sentences;
