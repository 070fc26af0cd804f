/** One message to the mail server, and what it said. Nothing a log or a page may not show comes out of here. */
import { createTransport, type NodemailerError } from 'nodemailer';
import type { SmtpServer } from '../../config/smtp.ts';
import { oneLine } from '../../domain/basics/mail-address.ts';

export interface OutgoingMail {
  readonly senderName: string;
  readonly sender: string;
  readonly replyTo: string | null;
  /** As they stand in the header. */
  readonly recipients: readonly string[];
  /** Those of them that the server is to send it to now. */
  readonly remaining: readonly string[];
  readonly subject: string;
  readonly body: string;
  readonly messageId: string;
  readonly writtenAt: Date;
  /** What goes with it; null when nothing does. */
  readonly pdf: { readonly fileName: string; readonly bytes: Buffer } | null;
}

export interface SendResult {
  /** The recipients that the server took responsibility for. */
  readonly accepted: readonly string[];
  /** What went wrong, in a Swedish sentence; null when nothing did. */
  readonly error: string | null;
  /** Whether trying again later may help those who remain. */
  readonly mayHelpToWait: boolean;
}

const connectTimeoutMs = 10_000;
const silenceTimeoutMs = 30_000;
/** However slowly the server speaks. */
const wholeTimeoutMs = 90_000;
const answerMax = 250;

export async function sendMail(
  server: SmtpServer,
  mail: OutgoingMail,
  timeoutMs = wholeTimeoutMs,
): Promise<SendResult> {
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.isSecure,
    requireTLS: server.requiresTls,
    ignoreTLS: server.isLocal && !server.requiresTls,
    ...(server.login ? { auth: { user: server.login.user, pass: server.login.password } } : {}),
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const sending = transport.sendMail(messageOf(mail));
    const { accepted, rejectedErrors = [] } = await inTime(sending, timeoutMs);
    return {
      accepted: mail.remaining.filter((one) => accepted.includes(one)),
      error: rejectedErrors.length === 0 ? null : refusedRecipients(server, rejectedErrors),
      mayHelpToWait: rejectedErrors.some(isTemporary),
    };
  } catch (error) {
    return explain(server, error as Failure);
  } finally {
    transport.close();
  }
}

function messageOf(mail: OutgoingMail) {
  return {
    // As objects: no name is ever read as an address.
    from: { name: oneLine(mail.senderName), address: mail.sender },
    to: mail.recipients.map((address) => ({ name: '', address })),
    ...(mail.replyTo === null ? {} : { replyTo: { name: '', address: mail.replyTo } }),
    envelope: { from: mail.sender, to: [...mail.remaining] },
    subject: oneLine(mail.subject),
    text: mail.body,
    date: mail.writtenAt,
    messageId: mail.messageId,
    attachments: mail.pdf
      ? [{ filename: mail.pdf.fileName, content: mail.pdf.bytes, contentType: 'application/pdf' }]
      : [],
  };
}

async function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const tooLate = () => reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' }));
  const timer = setTimeout(tooLate, timeoutMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    // What loses the race has nobody to tell.
    work.catch(() => undefined);
  }
}

/** What nodemailer throws, as far as it is used. */
type Failure = Partial<
  Pick<
    NodemailerError,
    'code' | 'responseCode' | 'permanent' | 'response' | 'command' | 'recipient'
  >
> & { readonly rejectedErrors?: readonly Failure[] | undefined };

/** RFC 5321: 4yz is "come back later", 5yz is no. Without an answer there was no no. */
const isTemporary = ({ permanent }: Failure): boolean => permanent !== true;

function explain(server: SmtpServer, failure: Failure): SendResult {
  const { code, command, rejectedErrors = [] } = failure;
  const failed = (sentence: string, mayHelpToWait: boolean): SendResult => ({
    accepted: [],
    error: sentence,
    mayHelpToWait,
  });
  if (rejectedErrors.length > 0) {
    return failed(refusedRecipients(server, rejectedErrors), rejectedErrors.some(isTemporary));
  }
  const said = answerOf(server, failure);
  if (code === 'EAUTH') {
    const mayWait = failure.responseCode !== undefined && isTemporary(failure);
    return failed(`E-postservern godtog inte inloggningen i SMTP_URL${said}.`, mayWait);
  }
  if (code === 'ETLS') {
    return failed('Det gick inte att få en krypterad förbindelse med e-postservern.', true);
  }
  if (failure.responseCode !== undefined) {
    const what = command === 'MAIL FROM' ? 'avsändaren' : 'meddelandet';
    return failed(`E-postservern tog inte emot ${what}${said}.`, isTemporary(failure));
  }
  return failed(`E-postservern ${server.host} svarar inte${reachOf(code)}.`, true);
}

const reachOf = (code: string | undefined): string => {
  if (code === 'EDNS') return ': namnet finns inte';
  if (code === 'ETIMEDOUT') return ' i tid';
  return '';
};

function refusedRecipients(server: SmtpServer, failures: readonly Failure[]): string {
  const parts = failures.map((one) => `${one.recipient ?? 'en adress'}${answerOf(server, one)}`);
  return cut(`E-postservern tog inte emot: ${parts.join('; ')}.`);
}

/** The server's own words, which are a stranger's: one line, cut, and never with our password in them. */
function answerOf({ login }: SmtpServer, { response }: Failure): string {
  if (!response) return '';
  let said = oneLine(response);
  if (login) {
    for (const secret of secretsOf(login)) said = said.replaceAll(secret, '[dolt]');
  }
  return ` (${[...said].slice(0, answerMax).join('')})`;
}

/** The password as it is, and as it travels. */
const secretsOf = ({ user, password }: NonNullable<SmtpServer['login']>): string[] => [
  password,
  Buffer.from(password).toString('base64'),
  Buffer.from(`\0${user}\0${password}`).toString('base64'),
];

const sentenceMax = 500;
const cut = (text: string): string => [...text].slice(0, sentenceMax).join('');
