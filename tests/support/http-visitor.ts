import { valueOf } from "./page";

/** A browser without scripts over real HTTP. It keeps cookies, sends each page's CSRF token, and follows no redirects. */
export class HttpVisitor {
  constructor(
    private readonly origin: string,
    private readonly cookies = new Map<string, string>(),
  ) {}

  /** Returns the same browser at another address of the portal. */
  at(origin: string): HttpVisitor {
    return new HttpVisitor(origin, this.cookies);
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    const response = await fetch(this.origin + path, {
      redirect: "manual",
      headers: { Accept: "text/html", Cookie: this.cookie(), ...headers },
    });
    this.keep(response);
    return response;
  }

  /** Opens the page and sends its form. */
  async post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    const page = await (await this.get(path)).text();
    const csrf = valueOf(page, "csrf") ?? "";
    const response = await fetch(this.origin + path, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ csrf, ...fields }),
      headers: { Accept: "text/html", Cookie: this.cookie(), Origin: this.origin, ...headers },
    });
    this.keep(response);
    return response;
  }

  async logIn({ email, password }: { email: string; password: string }): Promise<void> {
    const { status } = await this.post("/login", { email, password });
    if (status !== 303) throw new Error(`The login answered ${status}`);
  }

  /** Returns its cookies as the header of a request. */
  cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  private keep(response: Response): void {
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";");
      this.cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
  }
}

/** Returns the sources of a directive in a page's Content-Security-Policy, or null when it has no such directive. */
export function sourcesOf(response: Response, directive: string): string[] | null {
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  const parts = policy.split(";").map((part) => part.trim().split(/\s+/));
  return parts.find(([name]) => name === directive)?.slice(1) ?? null;
}
