import fc from "fast-check";
import { description } from "./openapi";

/** The parts of a JSON schema that the description uses. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  pattern?: string;
  maximum?: number;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
}

interface Described {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** A described call. `path` is below `/api/`, with its parameters in braces. */
export interface Operation extends Described {
  method: "GET" | "POST";
  path: string;
}

export const operations = (): Operation[] =>
  Object.entries(description().paths).flatMap(([path, methods]) =>
    Object.entries(methods ?? {}).map(([method, operation]) => ({
      ...(operation as Described),
      method: method.toUpperCase() as Operation["method"],
      path: path.replace("/api/", ""),
    })),
  );

export interface DescribedRequest {
  pathAndQuery: string;
  headers: Record<string, string>;
  body: string | null;
}

/** Texts and numbers that have broken programs before, and the placeholders of the API. */
const HOSTILE: readonly unknown[] = [
  ...["", " ", "-1", "0", "1", "null", "undefined", "NaN", "1e999", "01/01/0001", "0001-01-01T00:00:00", "31/02/2026"],
  ...["9999-12-31", "10000-01-01", "2026-01-01T00:00:00Z", "2026-01-01T24:00:00Z", "__proto__", "constructor"],
  ...[
    "\u0000",
    "\u202e",
    "\ud800",
    "\u200b",
    "😀".repeat(200),
    "<b>",
    "a<b>c",
    "%",
    "_",
    "\\",
    "'",
    '"',
    "$&",
    "../..",
  ],
  ...["x".repeat(5000), "-----BEGIN CERTIFICATE REQUEST-----", "a@example.com", "a".repeat(300) + "@example.com"],
  ...[null, true, false, -1, -0, 0, 0.1 + 0.2, 1e308, -1e308, 2_147_483_647, 2_147_483_648, 2 ** 53, [], {}],
];

/** Returns values that the portal accepts in fields of this name, or none where any value of the schema is accepted. */
export type Known = (name: string, schema: Schema) => readonly unknown[];

const text = () => fc.oneof(fc.string(), fc.string({ unit: "binary", maxLength: 40 }), fc.date().map(String));

/** Generates the members of objects and arrays. */
type Maker = (schema: Schema, name: string, known: Known) => fc.Arbitrary<unknown>;

function ofType(type: string, schema: Schema, known: Known, member: Maker): fc.Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.oneof(fc.nat(20), fc.integer());
    case "number":
      return fc.oneof(
        fc.nat(10_000).map((cents) => cents / 100),
        fc.double(),
      );
    case "array":
      return fc.array(member(schema.items ?? {}, "id", known), { maxLength: 120, size: "small" });
    case "object":
      return fc.record(membersOf(schema, known, member));
    default:
      return schema.pattern ? fc.stringMatching(new RegExp(schema.pattern)) : text();
  }
}

const membersOf = ({ properties = {} }: Schema, known: Known, member: Maker) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, member(schema, name, known)]));

const shaped = (schema: Schema, name: string, known: Known, member: Maker): fc.Arbitrary<unknown> => {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => shaped(one, name, known, member)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  return fc.oneof(...[schema.type ?? "object"].flat().map((type) => ofType(type, schema, known, member)));
};

/** Generates a known value for the name, otherwise a value that fully matches the schema. */
const right: Maker = (schema, name, known) => {
  const meant = known(name, schema);
  return meant.length > 0 ? fc.constantFrom(...meant) : shaped(schema, name, known, right);
};

/** Generates objects in which members are missing or unknown. */
function misshapen(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const some = fc.record(membersOf(schema, known, near), { requiredKeys: [] });
  return fc.tuple(some, fc.dictionary(text(), fc.jsonValue(), { maxKeys: 2 })).map(([a, b]) => ({ ...a, ...b }));
}

/** Generates mostly valid values, otherwise values that are partly invalid, or anything. */
const near: Maker = (schema, name, known) =>
  fc.oneof(
    { weight: 9, arbitrary: right(schema, name, known) },
    { weight: 5, arbitrary: shaped(schema, name, known, near) },
    ...(schema.properties ? [{ weight: 4, arbitrary: misshapen(schema, known) }] : []),
    { weight: 2, arbitrary: fc.constantFrom(...HOSTILE) },
    { weight: 1, arbitrary: fc.jsonValue() },
  );

const written = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

type Pairs = [string, string][];

/** Generates parameters: mostly each once, otherwise missing, duplicate or unknown. */
function pairs(parameters: { name: string; schema: Schema }[], known: Known): fc.Arbitrary<Pairs> {
  const given = parameters.map(({ name, schema }) =>
    fc.tuple(fc.constant(name), near(schema, name, known).map(written)),
  );
  const some = fc.tuple(...given.map((pair) => fc.option(pair, { freq: 6 })));
  const more = fc.oneof(
    { weight: 9, arbitrary: fc.constant<Pairs>([]) },
    fc.array(fc.tuple(text(), text()), { maxLength: 2 }),
  );
  return fc.tuple(some, more).map(([known, unknown]) => [...known.filter((pair) => pair !== null), ...unknown]);
}

const JSON_TYPE = "application/json";

function bodyOf({ requestBody }: Operation, known: Known): fc.Arbitrary<{ type: string; body: string | null }> {
  const [[type, { schema }] = [JSON_TYPE, { schema: {} as Schema }]] = Object.entries(requestBody?.content ?? {});
  const fields = Object.entries(schema.properties ?? {}).map(([name, inner]) => ({ name, schema: inner }));
  const whole =
    type === JSON_TYPE
      ? near(schema, "", known).map((value) => JSON.stringify(value) ?? "")
      : pairs(fields, known).map((given) => new URLSearchParams(given).toString());
  return fc.oneof(
    { weight: 14, arbitrary: whole.map((body) => ({ type, body })) },
    { weight: 1, arbitrary: text().map((body) => ({ type, body })) },
    { weight: 1, arbitrary: whole.map((body) => ({ type: "text/plain", body })) },
  );
}

/** ISO 8859-1, the only characters that headers can contain. */
const headerText = fc.oneof(
  fc.stringMatching(/^[\x21-\x7e]{1,30}$/),
  fc.stringMatching(/^[\x20-\x7e\xa0-\xff]{0,250}$/).map((value) => value.trim()),
);

/** Generates requests of a call that are close to its description. The path's parameters are filled in. */
export function requestsOf(operation: Operation, known: Known): fc.Arbitrary<DescribedRequest> {
  const of = (place: string) => (operation.parameters ?? []).filter((parameter) => parameter.in === place);
  const path = fc
    .tuple(
      ...of("path").map(({ name, schema }) =>
        fc.oneof(fc.constantFrom("x", ...known(name, schema).map(written)), fc.string()),
      ),
    )
    .map((parts) =>
      parts.reduce((whole, part) => whole.replace(/\{\w+\}/, () => encodeURIComponent(part)), operation.path),
    );
  const headers = fc
    .tuple(...of("header").map(({ name }) => fc.option(headerText.map((value) => [name, value] as const))))
    .map((given) => Object.fromEntries(given.filter((pair) => pair !== null)) as Record<string, string>);
  const body = operation.method === "POST" ? bodyOf(operation, known) : fc.constant({ type: "", body: null });
  return fc
    .tuple(path, pairs(of("query"), known), headers, body)
    .map(([filled, query, given, { type, body: sent }]) => ({
      pathAndQuery: query.length > 0 ? `${filled}?${new URLSearchParams(query).toString()}` : filled,
      headers: { ...given, ...(type && { "Content-Type": type }) },
      body: sent,
    }));
}
