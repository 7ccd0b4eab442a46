import { RemixBrowser } from "@remix-run/react";
import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { RequestIdContext } from "./components/shell/nonce";
import { ERROR_PREFIX } from "./components/shell/title-prefix";

// The server marks the title of a refused form; React must find the title that it would render itself.
if (document.title.startsWith(ERROR_PREFIX)) document.title = document.title.slice(ERROR_PREFIX.length);

const requestId = document.querySelector("[data-request-id]")?.textContent ?? "";

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RequestIdContext.Provider value={requestId}>
        <RemixBrowser />
      </RequestIdContext.Provider>
    </StrictMode>,
  );
});
