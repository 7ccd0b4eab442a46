import { withZod } from "@remix-validated-form/with-zod";
import { type Validator } from "remix-validated-form";
import { z } from "zod";
import { messages } from "./messages";

/** Replaces zod's own messages with those of the portal, where the schema has no message (GEN-02). */
export const portalWords: z.ZodErrorMap = (issue, context) => {
  const { defaultError } = context;
  const isOwn = z.defaultErrorMap(issue, context).message === defaultError;
  if (!isOwn) return { message: defaultError };
  switch (issue.code) {
    case "invalid_type":
      return { message: issue.received === "undefined" ? messages.required : messages.invalid };
    case "invalid_enum_value":
    case "invalid_literal":
    case "invalid_union_discriminator":
      return { message: messages.collection };
    case "too_big":
    case "too_small":
      return { message: messages.outOfRange };
    default:
      return { message: messages.invalid };
  }
};

/** Returns the validator of a form for the server and the browser. */
export const formValidator = <Data>(schema: z.Schema<Data, z.ZodTypeDef, unknown>): Validator<Data> =>
  withZod(schema, { errorMap: portalWords });
