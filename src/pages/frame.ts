/** A view in its frame: the navigation, who is logged in, what was just done, and the form tokens. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { uuid } from '../lib/uuid.ts';
import { appVersion } from '../lib/version.ts';
import { renderPage } from '../render/templates.ts';
import { navigationFor } from './navigation.ts';
import { takeNotice } from './notice.ts';
import { formToken, type Person } from './person.ts';
import type { View } from './visit.ts';

/** What every page's template may use beside its own values, as `frame.…`. */
function frameOf(request: FastifyRequest, reply: FastifyReply, view: View) {
  const { person } = request;
  const path = request.url.split('?', 1)[0] ?? '/';
  return {
    title: view.title,
    company: person?.company ?? '',
    person: person && shownPerson(person),
    navigation: person ? navigationFor(person, path, request.inboxes) : [],
    notice: takeNotice(request, reply),
    scripts: [...(view.scripts ?? []), ...(view.begun ? ['begun-form'] : [])],
    begun: view.begun ?? null,
    resume: view.resume ?? null,
    version: appVersion,
    /** Hidden fields of every form: `{{> form-tokens}}`. */
    csrf: formToken(request, reply),
    once: uuid(),
    may: {
      keepBooks: person?.may('keep_books') ?? false,
      administer: person?.may('administer') ?? false,
      own: person?.may('own') ?? false,
    },
  };
}

const shownPerson = ({ name, email, roleName }: Person) => ({ name, email, roleName });

export function answerView(request: FastifyRequest, reply: FastifyReply, view: View): FastifyReply {
  const html = renderPage(view.template, { ...view.values, frame: frameOf(request, reply, view) });
  return reply
    .code(view.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(html);
}
