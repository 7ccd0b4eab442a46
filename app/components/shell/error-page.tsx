import { isRouteErrorResponse } from "@remix-run/react";
import { useContext } from "react";
import { type ErrorBody, type KeptForm } from "~/domain/shell";
import { GENERIC_ERROR, NOT_FOUND_TEXT, PortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { LinkButton } from "../ui/buttons";
import { PageHeader } from "../ui/page-header";
import { RequestIdContext } from "./nonce";

interface Explanation {
  title: string;
  text: string;
  /** An unexpected error. Its request id helps support. */
  isUnexpected?: boolean;
}

/** Returns the portal's own message, if there is one. The portal's errors have a code; those of the framework have none. */
const messageIn = (data: unknown): string | undefined => {
  const isOurs = typeof data === "object" && data !== null && "code" in data && "message" in data;
  return isOurs && typeof data.message === "string" && data.message !== "" ? data.message : undefined;
};

/** Returns what to tell a person about an error: an unknown path, the portal's own message, or the generic one. */
export function explain(error: unknown): Explanation {
  const isOurs = isRouteErrorResponse(error) || error instanceof PortalError;
  if (!isOurs) return { title: "Something went wrong", text: GENERIC_ERROR, isUnexpected: true };
  if (error.status === 404) return { title: "Page not found", text: NOT_FOUND_TEXT };
  const message = error instanceof PortalError ? error.message : messageIn(error.data);
  if (error.status === 503 && message)
    return { title: "Not available at the moment", text: message, isUnexpected: true };
  if (error.status >= 500 || !message)
    return { title: "Something went wrong", text: GENERIC_ERROR, isUnexpected: true };
  return { title: error.status === 403 ? "Not allowed" : "This did not work", text: message };
}

/**
 * A form that could not be stored. Its fields are hidden, and its button sends them again. The POST of a document works even when the
 * loaders have no data.
 */
const KeptFields = ({ action, fields, button }: KeptForm) => (
  <form method="post" action={action}>
    {fields.map(([name, value], index) => (
      <input key={index} type="hidden" name={name} value={value} />
    ))}
    <button type="submit" className="btn primary">
      {button}
    </button>
  </form>
);

export function ErrorPage({ error }: { error: unknown }) {
  const requestId = useContext(RequestIdContext);
  const { title, text, isUnexpected } = explain(error);
  const kept = (error as { data?: Partial<ErrorBody> | null } | null)?.data?.kept;
  return (
    <div className="narrow">
      <PageHeader title={title} />
      <p>{text}</p>
      {isUnexpected && requestId && (
        <p className="muted">
          Reference for support: <code data-request-id>{requestId}</code>
        </p>
      )}
      {kept ? (
        <KeptFields {...kept} />
      ) : (
        <p>
          <LinkButton to={paths.root}>Go to the start page</LinkButton>
        </p>
      )}
    </div>
  );
}
