import { paths } from "~/lib/paths";
import * as confirmPage from "~/routes/_public.second-factors_.confirm/route";
import * as userPage from "~/routes/home.users.$id/route";
import { createUser } from "./factories";
import { run, type Visitor } from "./visitor";

export type Handler = Parameters<typeof run>[0];

/** A request of staff. Without fields it is a GET. */
export interface StepUpRequest {
  handler: Handler;
  path: string;
  params?: Record<string, string>;
  fields?: Record<string, string>;
  /** The task, as the page in between names it. */
  named: string;
  /** The button that sends the form after the proof. */
  button?: string;
}

/** The button and the words for each action on an account. */
const ACTIONS = {
  disable: ["Disable account", "disable the account"],
  enable: ["Enable account", "enable the account"],
  lock: ["Lock account", "lock the account"],
  "end-sessions": ["End all sessions", "end all sessions of the account"],
  "grant-admin": ["Grant Admin", "grant the right Admin to the account"],
  "grant-applicant": ["Grant Applicant", "grant the right Applicant to the account"],
  "withdraw-admin": ["Withdraw Admin", "withdraw the right Admin from the account"],
  "log-in-as": ["Log in as user", "log in as the user"],
} as const;

/** Prepares an action on the account of a new user. */
export const administering =
  (intent: keyof typeof ACTIONS, given: Parameters<typeof createUser>[0] = {}): (() => Promise<StepUpRequest>) =>
  async () => {
    const { id, email } = await createUser(given);
    const fields = { intent, reason: "As agreed", confirmed: "yes" };
    const [button, aim] = ACTIONS[intent];
    const named = `${aim} ${email}`;
    return { handler: userPage.action, path: paths.user(id), params: { id: String(id) }, fields, named, button };
  };

/** The fields of the banner of the home page. */
export const BANNER = {
  banner: "https://images.example/banner.png",
  link: "https://example.org/",
  tooltip: "Conference",
};

/** Returns the fields as the form with this id sends them. */
export function form(id: string, fields: Record<string, string>) {
  return { __rvfInternalFormId: id, ...fields };
}

/** Sends a request of staff. */
export const send = async (visitor: Visitor, { handler, path, params = {}, fields }: Omit<StepUpRequest, "named">) =>
  run(handler, fields ? await visitor.post(path, fields) : visitor.get(path), params);

/** Answers the page in between. Returns its answer, which the browser follows. */
export async function confirm(visitor: Visitor, address: string, fields: Record<string, string>): Promise<Response> {
  const answer = await run(confirmPage.action, await visitor.post(address, fields));
  visitor.follow(answer);
  return answer;
}

/** Returns where an answer leads to. */
export const addressOf = (answer: Response) => answer.headers.get("Location") ?? "";
/** Returns the page to which the page in between leads back. */
export const targetIn = (address: string) =>
  new URL(address, "http://portal.test").searchParams.get("redirectTo") ?? "";

/** The page in between. */
export const PAGE = /^\/second-factors\/confirm\?/;
