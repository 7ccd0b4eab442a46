import { type Operation, type Schema } from "./described-requests";

/** Values that the portal accepts, by the field's path or its name. Values that can be used only once are created for each request. */
export type Samples = Readonly<Record<string, unknown>>;

/** A request in parts, each of which can be omitted or changed. */
export interface SmallRequest {
  path: string;
  query: Record<string, unknown>;
  body: Record<string, unknown> | null;
}

/** A field of a request: its path, and its description. */
export interface DescribedField {
  /** The path as in error messages: `order.csr`, `contacts.0.name`. */
  path: string;
  schema: Schema & { maxLength?: number };
  isRequired: boolean;
}

const schemaOf = ({ requestBody }: Operation): Schema => Object.values(requestBody?.content ?? {})[0]?.schema ?? {};

const typesOf = ({ type = [] }: Schema): string[] => [type].flat();

function valueOf(schema: Schema, path: string, samples: Samples): unknown {
  const name = path.split(".").at(-1) ?? "";
  const given = [path, name].find((one) => Object.hasOwn(samples, one));
  if (given) return samples[given];
  if (schema.properties) return smallest(schema, `${path}.`, samples);
  if (schema.enum) return schema.enum[0];
  if (schema.items) return [valueOf(schema.items, path, samples)];
  if (typesOf(schema).includes("boolean")) return true;
  throw new Error(`no sample for ${path}`);
}

const smallest = ({ properties = {}, required = [] }: Schema, path: string, samples: Samples) =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, schema]) => [name, valueOf(schema, path + name, samples)]),
  );

/** Returns a request with only the required fields of the description. */
export function smallestOf(operation: Operation, samples: Samples): SmallRequest {
  const needed = (operation.parameters ?? []).filter((one) => one.in === "query" && one.required);
  const query = needed.map(({ name, schema }) => [name, valueOf(schema, name, samples)]);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(samples[name]));
  const body = operation.method === "POST" ? smallest(schemaOf(operation), "", samples) : null;
  return { path, query: Object.fromEntries(query) as Record<string, unknown>, body };
}

const within = ({ properties = {}, required = [] }: Schema, path = ""): DescribedField[] =>
  Object.entries(properties).flatMap(([name, schema]) => [
    { path: path + name, schema, isRequired: required.includes(name) },
    ...within(schema, `${path}${name}.`),
    ...(schema.items ? within(schema.items, `${path}${name}.0.`) : []),
  ]);

type Part = Record<string, unknown>;

const isSent = (request: SmallRequest, path: string): boolean => {
  let part: unknown = request.body ?? request.query;
  for (const step of path.split(".")) part = (part as Part | undefined | null)?.[step];
  return part !== undefined;
};

/** Returns the required fields that a request has. */
export const neededIn = (operation: Operation, request: SmallRequest): DescribedField[] =>
  fieldsOf(operation).filter(({ path, isRequired }) => isRequired && isSent(request, path));

/** Returns the request with the objects that contain a field. Missing objects are added with their required fields only. */
export function withPlaceOf(operation: Operation, request: SmallRequest, path: string, samples: Samples): SmallRequest {
  const around = fieldsOf(operation).filter((field) => path.startsWith(`${field.path}.`));
  return around.reduce(
    (all, field) =>
      isSent(all, field.path) ? all : withField(all, field.path, valueOf(field.schema, field.path, samples)),
    request,
  );
}

/** Returns all described fields of a request. */
export const fieldsOf = (operation: Operation): DescribedField[] => [
  ...(operation.parameters ?? [])
    .filter((one) => one.in === "query")
    .map(({ name, schema, required: isRequired = false }) => ({ path: name, schema, isRequired })),
  ...within(schemaOf(operation)),
];

/** Returns the request with another value of a field. If the value is undefined, the field is omitted. */
export function withField(request: SmallRequest, path: string, value: unknown): SmallRequest {
  const changed = structuredClone(request);
  const steps = path.split(".");
  let part: Part = changed.body ?? changed.query;
  for (const step of steps.slice(0, -1)) part = part[step] as Part;
  const last = steps.at(-1) ?? "";
  if (value === undefined) delete part[last];
  else part[last] = value;
  return changed;
}
