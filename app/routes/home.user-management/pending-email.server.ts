import { resendEmailChange, withdrawEmailChange } from "~/domain/accounts/email-change.service.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type Toast } from "~/domain/shell";
import { redirectWithToast } from "~/http/flash.server";
import { isPortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";

async function sendAgain(user: SessionUser): Promise<string | null> {
  const email = await resendEmailChange(user);
  return email && `A new link is on its way to ${email}.`;
}

async function withdraw(user: SessionUser): Promise<string | null> {
  const email = await withdrawEmailChange(user);
  return email && `${email} was withdrawn: the account keeps ${user.email}.`;
}

const INTENTS = { "send-email-link": sendAgain, "withdraw-email": withdraw } as const;

const GONE: Toast = { kind: "warn", text: "No new e-mail address is waiting to be confirmed any more." };

/** Handles the buttons beside an address that is not confirmed yet. Returns null for all other buttons of user details. */
export async function decidePendingEmail(
  request: Request,
  user: SessionUser,
  sent: FormData,
): Promise<Response | null> {
  const decide = Object.entries(INTENTS).find(([intent]) => intent === sent.get("intent"))?.[1];
  if (!decide) return null;
  try {
    const text = await decide(user);
    return await redirectWithToast(request, paths.userManagement, text ? { kind: "ok", text } : GONE);
  } catch (error) {
    if (!isPortalError(error) || error.status === 403) throw error;
    return redirectWithToast(request, paths.userManagement, { kind: "warn", text: error.message });
  }
}
