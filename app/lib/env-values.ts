import { z } from "zod";

/** A variable that may be missing. An empty value counts as missing. */
export const optional = <T extends z.ZodTypeAny>(schema: T) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());

export const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .refine((value) => /^\d{1,9}$/.test(value) && Number(value) >= from && Number(value) <= to, {
      message: `must be a whole number from ${from} to ${to}`,
    })
    .transform(Number);
