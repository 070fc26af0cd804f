/**
 * A view in its frame: the navigation, who is logged in, what was just done, and the form tokens. The frame is in the
 * language of whoever looks, the page in its own.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Language, speaking, translated } from '../lib/language.ts';
import { uuid } from '../lib/uuid.ts';
import { appVersion } from '../lib/version.ts';
import { escaped, type Languages, renderPage } from '../render/templates.ts';
import { pageLanguage } from './language.ts';
import { navigationFor } from './navigation.ts';
import { takeNotice } from './notice.ts';
import { formToken, type Person } from './person.ts';
import type { View } from './visit.ts';

const swedish = { code: 'sv', name: 'Svenska' };
const english = { code: 'en', name: 'English' };

/** What every page's template may use beside its own values, as `frame.…`. */
function frameOf(
  request: FastifyRequest,
  reply: FastifyReply,
  view: View,
  { page, frame }: Languages,
) {
  const { person } = request;
  const path = request.url.split('?', 1)[0] ?? '/';
  const notice = takeNotice(request, reply);
  /** Said where something is in another language than the page. */
  const unlikePage = (language: Language): Language | null => (language === page ? null : language);
  return {
    title: view.title,
    company: person?.company ?? '',
    person: person && shownPerson(person),
    navigation: person ? navigationFor(person, path, request.inboxes) : [],
    notice: notice?.text ?? null,
    noticeLanguage: notice && unlikePage(notice.language),
    language: page,
    ownLanguage: unlikePage(frame),
    otherLanguage: frame === 'sv' ? english : swedish,
    scripts: [...(view.scripts ?? []), ...(view.begun ? ['begun-form'] : [])],
    begun: view.begun ?? null,
    resume: view.resume ?? null,
    version: appVersion,
    /** Hidden fields of every form: `{{> form-tokens}}`. */
    csrf: formToken(request, reply),
    once: uuid(),
    seen: view.seen ?? null,
    unsaid: [] as readonly string[],
    may: {
      keepBooks: person?.may('keep_books') ?? false,
      administer: person?.may('administer') ?? false,
      own: person?.may('own') ?? false,
    },
  };
}

const shownPerson = ({ name, email, roleName }: Person) => ({
  name,
  email,
  roleName: translated(roleName),
});

export function answerView(request: FastifyRequest, reply: FastifyReply, view: View): FastifyReply {
  const languages = { page: pageLanguage(request), frame: request.person?.language ?? 'sv' };
  const frame = speaking(languages.frame, () => frameOf(request, reply, view, languages));
  const render = (unsaid: readonly string[]) =>
    renderPage(view.template, { ...view.values, frame: { ...frame, unsaid } }, languages);
  const said = render([]);
  // Another tab may have done the last that there was to do, and the form with its place for problems is gone.
  const unsaid = new Set(view.refused?.filter((sentence) => !said.includes(escaped(sentence))));
  const html = unsaid.size === 0 ? said : render([...unsaid]);
  return reply
    .code(view.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(html);
}
