import { getOpenApiMetadata } from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { messages } from "~/lib/messages";
import { check, InvalidInput } from "./check";
import { REQUIRED } from "./wire";

const isRequired = (schema: z.ZodTypeAny): boolean =>
  REQUIRED in (getOpenApiMetadata(schema) as Record<string, unknown>);

function objectOf(schema: z.ZodTypeAny): z.AnyZodObject | null {
  if (schema instanceof z.ZodObject) return schema;
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? objectOf(schema.unwrap() as z.ZodTypeAny)
    : null;
}

/** Returns the required fields that are missing, by path. */
function missingIn(schema: z.ZodTypeAny, value: unknown, path = ""): Record<string, string> {
  const shape = (objectOf(schema)?.shape ?? {}) as z.ZodRawShape;
  if (typeof value !== "object" || value === null) return {};
  const found = Object.entries(shape).map(([name, member]) => {
    const sent: unknown = Object.hasOwn(value, name) ? value[name as keyof typeof value] : undefined;
    if (sent === undefined) return isRequired(member) ? { [path + name]: messages.required } : {};
    return missingIn(member, sent, `${path}${name}.`);
  });
  return Object.assign({}, ...found) as Record<string, string>;
}

/**
 * Parses a request with a call's schema. The schema accepts a request without fields that only the forms' rules require. When it refuses
 * the request for another reason, such as an unknown field, the missing fields are named too. Throws InvalidInput.
 */
export function checkRequest<Schema extends z.ZodTypeAny>(schema: Schema, sent: unknown): z.output<Schema> {
  try {
    return check(schema, sent);
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    throw new InvalidInput({ ...error.errors, ...missingIn(schema, sent), ...error.errors });
  }
}
