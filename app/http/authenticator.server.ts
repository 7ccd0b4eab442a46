import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { type Login, login } from "~/domain/accounts/login.service.server";
import { clientHeaders } from "./client.server";
import { originOf } from "./known-device.server";

const field = (form: FormData, name: string) => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

/** Returns the request that the strategy reads, made of the checked fields. The body of the original request has been read already. */
export const withFields = (request: Request, { email, password }: { email: string; password: string }): Request =>
  new Request(request.url, {
    method: "POST",
    body: new URLSearchParams({ email, password }),
    headers: { ...clientHeaders(request), Cookie: request.headers.get("Cookie") ?? "" },
  });

/** Checks an email and a password. The login may wait for a second factor then. remix-auth keeps no session: routes start one with the result. Failures are thrown as PortalErrors. */
export const authenticator = new Authenticator<Login>().use(
  new FormStrategy<Login>(async ({ form, request }) =>
    login(field(form, "email"), field(form, "password"), { origin: await originOf(request) }),
  ),
  "form",
);
