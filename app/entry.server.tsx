import {
  type AppLoadContext,
  type EntryContext,
  type HandleDataRequestFunction,
  type HandleErrorFunction,
} from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server";
import { isForeignForm } from "~/http/origin.server";
import { logError, logRefusal } from "~/lib/log.server";
import { NonceContext, RequestIdContext } from "./components/shell/nonce";
import { ERROR_PREFIX } from "./components/shell/title-prefix";

const ERROR_SUMMARY = 'class="errors"';

/** Renders a page. The title of a page with an error summary starts with 'Error: ', so that it is the first thing to be read out. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { cspNonce, requestId }: AppLoadContext,
) {
  const html = renderToString(
    <NonceContext.Provider value={cspNonce}>
      <RequestIdContext.Provider value={requestId}>
        <RemixServer context={remixContext} url={request.url} nonce={cspNonce} />
      </RequestIdContext.Provider>
    </NonceContext.Provider>,
  );
  const page = html.includes(ERROR_SUMMARY) ? html.replace("<title>", `<title>${ERROR_PREFIX}`) : html;
  headers.set("Content-Type", "text/html; charset=utf-8");
  keepPrivate(headers);
  sayWhenToTryAgain(headers, remixContext);
  // Browsers send no cookies with such a form: the new session of the answer would take the place of the visitor's own.
  if (isForeignForm(request)) headers.delete("Set-Cookie");
  return new Response(`<!DOCTYPE html>${page}`, { status, headers });
}

/** Answers that a page navigates with are as private as the page. */
export const handleDataRequest: HandleDataRequestFunction = (response) => {
  keepPrivate(response.headers);
  return response;
};

/** Remix omits the headers of an error that a loader or action throws from the page that shows the error. */
function sayWhenToTryAgain(headers: Headers, { staticHandlerContext: { loaderHeaders, actionHeaders } }: EntryContext) {
  const answers = [...Object.values(loaderHeaders), ...Object.values(actionHeaders)];
  const seconds = answers.map((answer) => answer.get("Retry-After")).find((found) => found !== null);
  if (seconds) headers.set("Retry-After", seconds);
}

function keepPrivate(headers: Headers) {
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
}

/** Remix brings what it refuses itself (an address without a route, a method without an action) here as well. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted) return;
  if (isRouteErrorResponse(error) && error.status < 500) logRefusal(error.status, { request, context });
  else logError(error, { request, context });
};
