import { createServer, type Socket } from "node:net";
import { afterAll } from "vitest";

export interface ReceivedMessage {
  from: string;
  to: string[];
  data: string;
}

/** A small real SMTP server (RFC 5321) on a port of its own; `refuse` answers recipients with 451, `silent` never answers. */
export class SmtpServer {
  readonly messages: ReceivedMessage[] = [];
  mode: "accept" | "refuse" | "silent" = "accept";
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((socket) => this.serve(socket));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    const { port } = this.server.address() as { port: number };
    return `smtp://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on("close", () => this.sockets.delete(socket));
    socket.on("error", () => undefined);
    if (this.mode === "silent") return;
    let message: ReceivedMessage = { from: "", to: [], data: "" };
    let isData = false;
    let buffer = "";
    const answer = (line: string) => socket.write(`${line}\r\n`);
    answer("220 test ESMTP");
    socket.on("data", (chunk) => {
      buffer += chunk.toString("utf8");
      for (let end = buffer.indexOf("\r\n"); end >= 0; end = buffer.indexOf("\r\n")) {
        const line = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        if (isData && line !== ".") message.data += `${line.replace(/^\.\./, ".")}\r\n`;
        else if (isData) {
          isData = false;
          this.messages.push(message);
          message = { from: "", to: [], data: "" };
          answer("250 taken");
        } else if (/^(EHLO|HELO)/i.test(line)) answer("250 test");
        else if (/^MAIL FROM:/i.test(line)) {
          message.from = line.slice(10);
          answer("250 ok");
        } else if (/^RCPT TO:/i.test(line)) {
          if (this.mode === "accept") message.to.push(line.slice(8));
          answer(this.mode === "accept" ? "250 ok" : "451 try again later");
        } else if (/^DATA/i.test(line)) {
          isData = true;
          answer("354 go on");
        } else if (/^QUIT/i.test(line)) socket.end("221 bye\r\n");
        else answer("250 ok");
      }
    });
  }
}

/** An SMTP server for the test file, stopped after it. */
export function useSmtpServer(): SmtpServer {
  const server = new SmtpServer();
  afterAll(() => server.stop());
  return server;
}
