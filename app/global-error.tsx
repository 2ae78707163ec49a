"use client";

import "./globals.css";

/** The layout itself failed, so there are no messages: the text is in both languages. */
export default function ShellFailure({ reset }: { reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <main className="mx-auto flex max-w-160 flex-col items-start gap-3 p-6 py-16">
          <h1 className="text-14 font-semibold">This page could not be shown</h1>
          <p className="text-13">
            The fault is on our side and has been written to the server’s log. What is recorded is safe.
          </p>
          <p lang="ru" className="text-13">
            Не удалось показать страницу. Ошибка на нашей стороне, она записана в журнал сервера. Всё записанное в
            сохранности.
          </p>
          <button
            type="button"
            onClick={reset}
            className="h-6.5 rounded-2 border border-line-strong px-2.25 font-medium"
          >
            Try again · <span lang="ru">Повторить</span>
          </button>
        </main>
      </body>
    </html>
  );
}
