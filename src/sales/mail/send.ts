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
  /** Whether the server has had all of the message and not said what becomes of it: it may have taken it. */
  readonly isUnanswered: boolean;
}

export interface MailPatience {
  /** Until the server has the whole message, however slowly it speaks. */
  readonly untilSentMs: number;
  /** From then on. */
  readonly untilAnsweredMs: number;
}

const connectTimeoutMs = 10_000;
/**
 * A server that has the message may look through it before it answers, and takes it although nobody waits any more:
 * each attempt that gives up too early is one more copy. Hence the ten minutes (RFC 5321, 4.5.3.2.6).
 */
const usualPatience: MailPatience = { untilSentMs: 90_000, untilAnsweredMs: 600_000 };
const answerMax = 250;

export async function sendMail(
  server: SmtpServer,
  mail: OutgoingMail,
  patience = usualPatience,
): Promise<SendResult> {
  const sending = new Sending(patience);
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
    // Silence is measured by `Sending`.
    socketTimeout: patience.untilSentMs + patience.untilAnsweredMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.use('stream', ({ message }, done) => {
    message.processFunc((stream) => stream.once('end', () => sending.handOver()));
    done();
  });
  try {
    const message = { ...messageOf(mail), signal: sending.signal };
    const { accepted, rejectedErrors = [] } = await transport.sendMail(message);
    return {
      accepted: mail.remaining.filter((one) => accepted.includes(one)),
      error: rejectedErrors.length === 0 ? null : refusedRecipients(server, rejectedErrors),
      mayHelpToWait: rejectedErrors.some(isTemporary),
      isUnanswered: false,
    };
  } catch (error) {
    return explain(server, error as Failure, sending);
  } finally {
    sending.end();
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

/** How far a message has come, and the patience with the server, which ends the connection. */
class Sending {
  isHandedOver = false;
  readonly #patience: MailPatience;
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout;

  constructor(patience: MailPatience) {
    this.#patience = patience;
    this.#timer = setTimeout(() => this.#ending.abort(), patience.untilSentMs);
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  get isLate(): boolean {
    return this.#ending.signal.aborted;
  }

  /** The last of the message is on its way: what the server does from now on, it may do with all of it. */
  handOver(): void {
    if (this.isLate) return;
    this.isHandedOver = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ending.abort(), this.#patience.untilAnsweredMs);
  }

  end(): void {
    clearTimeout(this.#timer);
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

function explain(server: SmtpServer, failure: Failure, sending: Sending): SendResult {
  const { code, command, rejectedErrors = [] } = failure;
  const isUnanswered = sending.isHandedOver && failure.responseCode === undefined;
  const failed = (sentence: string, mayHelpToWait: boolean): SendResult => ({
    accepted: [],
    error: sentence,
    mayHelpToWait,
    isUnanswered,
  });
  if (isUnanswered) {
    return failed(
      `E-postservern ${server.host} fick hela meddelandet, men svarade inte på det.`,
      true,
    );
  }
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
  return failed(
    `E-postservern ${server.host} svarar inte${reachOf(sending.isLate ? 'ETIMEDOUT' : code)}.`,
    true,
  );
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
