import { json } from "@remix-run/node";
import { retryHeaders } from "~/http/responses.server";
import { type BrokenRule } from "~/lib/broken-rule";
import { GENERIC_ERROR, isPortalError, type PortalError } from "~/lib/errors";
import { type CriterionFailures, InvalidInput } from "./check";

/** The answer of every wrapped call (API-02). */
export interface Wrapper {
  success: boolean;
  responseContent: unknown;
  responseText: string;
  /** Of a list that is answered in parts: the cursor of the next part, or null after the last row. */
  nextCursor?: string | null;
  /** Messages by the name of the field in the request. */
  errors?: Record<string, string>;
  /** Criteria that are not met, by the name of the field. */
  criteria?: CriterionFailures;
  /** The rules that a refused CSR breaks. */
  rules?: readonly BrokenRule[];
  /** A documented code (API-07), or the portal's own code of the rule that was broken. */
  errorCode?: string;
}

const NO_STORE = { "Cache-Control": "no-store" };

export const answered = (
  responseContent: unknown,
  responseText = "",
  part: Pick<Wrapper, "nextCursor"> = {},
): Response => json<Wrapper>({ success: true, responseContent, responseText, ...part }, { headers: NO_STORE });

interface Refusal {
  status: number;
  text: string;
  code: string;
  errors?: Record<string, string>;
  criteria?: CriterionFailures;
  rules?: readonly BrokenRule[] | undefined;
  headers?: Record<string, string>;
}

export const refusedCall = ({ status, text, code, errors, criteria = {}, rules, headers = {} }: Refusal): Response =>
  json<Wrapper>(
    {
      success: false,
      responseContent: null,
      responseText: text,
      errorCode: code,
      ...(errors && { errors }),
      ...(Object.keys(criteria).length > 0 && { criteria }),
      ...(rules && { rules }),
    },
    { status, headers: { ...NO_STORE, ...headers } },
  );

/** Returns the answer for a PortalError. When the error names a field, `errors` has the message for that field. */
export const refusalOf = ({ message, status, code, field, retryAfter, rules }: PortalError): Response =>
  refusedCall({
    status,
    text: message,
    code,
    ...(field && { errors: { [field]: message } }),
    rules,
    headers: retryHeaders(retryAfter),
  });

/** Returns the answer for any error of a call. For an unexpected error it contains only the code. */
export function failureOf(error: unknown, code: string | undefined): Response {
  if (error instanceof InvalidInput)
    return refusedCall({
      status: 422,
      text: error.message,
      code: "request.invalid",
      errors: error.errors,
      criteria: error.criteria,
    });
  if (isPortalError(error)) return refusalOf(error);
  return refusedCall({ status: 500, text: GENERIC_ERROR, code: code ?? "unexpected" });
}

/**
 * Returns the answer for a call that does not exist. It is a problem document (RFC 9457) and not wrapped, because it is not one of the
 * documented answers.
 */
export const noSuchCall = (path: string): Response =>
  json(
    { type: "about:blank", title: "Not Found", status: 404, detail: `There is no call /api/${path}. See /api/docs.` },
    { status: 404, headers: { ...NO_STORE, "Content-Type": "application/problem+json; charset=utf-8" } },
  );
