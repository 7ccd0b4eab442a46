import { createContext } from "react";

/** The Content-Security-Policy nonce of this answer. It is empty in the browser, which hides nonces from scripts. */
export const NonceContext = createContext("");

/** The request id. The server knows it while rendering; the browser takes it from the error page. */
export const RequestIdContext = createContext("");
