import {
  type FirstNotice,
  MOST_TOLD,
  type Notice,
  type NoticeMessage,
  type NoticeStore,
  REMEMBERED_NOTICES_MS,
} from "../notices.ts";
import { type NoticeRow, RULE_NOTICES, type RuleNoticeRow, toNotice, toRuleNotice } from "../queries/notice-row.ts";
import type { Connection } from "./connection.ts";
import type { Writer } from "./log/writer.ts";
import { NOT_IMPORTED } from "./queries/confirmations.ts";

/** Whether a row of `notices` is still pending. A conversation that was taken over has a manager. */
const AWAITED = `(
  EXISTS (SELECT 1 FROM confirmations
    WHERE notices.subject LIKE 'confirmation:%' AND id = substr(notices.subject, 14) AND status = 'requested')
  OR EXISTS (SELECT 1 FROM notes WHERE notices.subject LIKE 'mention:%' AND notices.number = 0 AND notices.sent_at IS NULL
    AND notes.id = substr(notices.subject, 9))
  OR EXISTS (SELECT 1 FROM alert_firings JOIN alert_rules ON alert_rules.id = rule_id
    WHERE notices.subject LIKE 'rule:%' AND alert_firings.id = substr(notices.subject, 6)
      AND (number <= 0 AND sent_at IS NULL OR ended_at IS NULL AND coalesce(muted_until, 0) < notices.due_at))
  OR EXISTS (SELECT 1 FROM alerts JOIN conversations ON conversations.id = alerts.conversation_id
    WHERE notices.subject LIKE 'alert:%' AND alerts.id = substr(notices.subject, 7) AND closed_at IS NULL
      AND summary ->> '$.taken_over' IS NULL))`;

/** Notifications in SQLite, on the writer's connection, in its transactions. */
export function createNoticeStore(writing: Connection, reading: Connection, writer: Writer): NoticeStore {
  const writes = prepareWrites(writing);
  const hasNews = reading
    .prepare<[{ channel: string }], 0 | 1>(
      `SELECT EXISTS (SELECT 1 FROM confirmations WHERE position > place.position)
         OR EXISTS (SELECT 1 FROM alerts WHERE position > place.position)
       FROM notice_places AS place WHERE channel = :channel`,
    )
    .pluck();
  const next = reading
    .prepare<[string], number>("SELECT min(due_at) FROM notices WHERE sent_at IS NULL AND channel = ?")
    .pluck();

  return {
    follow: (channel) =>
      writer.submit(({ head, recordedAt }) => {
        writes.follow.run(channel, head);
        writes.forget.run(channel, recordedAt - REMEMBERED_NOTICES_MS);
      }),
    async gather(channel, first) {
      // Checked first without a transaction, since it is called whenever the log grows.
      if (hasNews.get({ channel }) !== 1) return;
      await writer.submit(({ head }) => {
        for (const { kind, id, since } of writes.news.all({ channel })) {
          const notice = first(kind, since);
          if (notice) insert(`${kind}:${id}`, channel, notice);
        }
        writes.advance.run(head, channel);
      });
    },
    take: (channel, now, id) =>
      writer.submit(() => {
        writes.drop.run(channel, now);
        const begun = writes.begun.get(channel);
        if (begun === undefined && writes.begin.run(id, channel, now).changes === 0) return null;
        return messageOf(channel, begun ?? id);
      }),
    sent: (channel, id, { at, again, most }) =>
      writer.submit(() => {
        if (again !== null) writes.again.run(again, channel, id, most);
        writes.sent.run(at, channel, id);
      }),
    failed: (channel, id, error) =>
      writer.submit(() => {
        writes.failed.run(error, channel, id);
      }),
    async nextDue(channel) {
      return next.get(channel) ?? null;
    },
  };

  function insert(subject: string, channel: string, { number, dueAt }: FirstNotice): void {
    writes.insert.run(subject, channel, number, dueAt);
  }

  function messageOf(channel: string, id: string): NoticeMessage {
    const counts = { confirmation: 0, alert: 0, mention: 0, rule: 0 };
    let tries = 0;
    for (const row of writes.counts.all(channel, id)) {
      counts[row.kind] = row.count;
      tries = Math.max(tries, row.tries);
    }
    const rules = counts.rule > 0 ? writes.rules.all(channel, id, MOST_TOLD).map(toRuleNotice) : [];
    const notices = [...rules, ...writes.told.all(channel, id, MOST_TOLD).map(toNotice)].slice(0, MOST_TOLD);
    return { id, tries, notices, counts };
  }
}

interface News {
  kind: Notice["kind"];
  id: string;
  since: number;
}

function prepareWrites(connection: Connection) {
  const unsent = "channel = ? AND message = ? AND sent_at IS NULL";
  return {
    follow: connection.prepare<[channel: string, position: number]>(
      "INSERT INTO notice_places (channel, position) VALUES (?, ?) ON CONFLICT (channel) DO NOTHING",
    ),
    advance: connection.prepare<[position: number, channel: string]>(
      "UPDATE notice_places SET position = ? WHERE channel = ?",
    ),
    forget: connection.prepare<[channel: string, before: number]>(
      `DELETE FROM notices WHERE channel = ? AND sent_at < ? AND NOT ${AWAITED}`,
    ),
    news: connection.prepare<[{ channel: string }], News>(
      `WITH place AS (SELECT position FROM notice_places WHERE channel = :channel)
       SELECT 'confirmation' AS kind, confirmations.id, requested_at AS since
         FROM confirmations JOIN events ON events.position = confirmations.position
         WHERE confirmations.position > (SELECT position FROM place) AND status = 'requested' AND ${NOT_IMPORTED}
       UNION ALL
       SELECT 'alert', id, created_at FROM alerts WHERE position > (SELECT position FROM place) AND closed_at IS NULL`,
    ),
    insert: connection.prepare<[subject: string, channel: string, number: number, due_at: number]>(
      "INSERT INTO notices (subject, channel, number, due_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    ),
    drop: connection.prepare<[channel: string, now: number]>(
      `DELETE FROM notices WHERE channel = ? AND sent_at IS NULL AND due_at <= ? AND NOT ${AWAITED}`,
    ),
    begun: connection
      .prepare<[string], string>(
        "SELECT message FROM notices WHERE channel = ? AND sent_at IS NULL AND message IS NOT NULL ORDER BY due_at LIMIT 1",
      )
      .pluck(),
    begin: connection.prepare<[id: string, channel: string, now: number]>(
      "UPDATE notices SET message = ? WHERE channel = ? AND sent_at IS NULL AND due_at <= ?",
    ),
    counts: connection.prepare<[channel: string, id: string], { kind: Notice["kind"]; count: number; tries: number }>(
      `SELECT substr(subject, 1, instr(subject, ':') - 1) AS kind, count(*) AS count, max(tries) AS tries
       FROM notices WHERE ${unsent} GROUP BY kind`,
    ),
    told: connection.prepare<[channel: string, id: string, most: number], NoticeRow>(
      `SELECT kind, waiting.id, number, waiting.conversation_id, title,
         coalesce(events.agent_id, conversations.agent_id) AS agent_id, since, method, text, mention
       FROM (
         SELECT 'confirmation' AS kind, confirmations.id, number, confirmations.position, confirmations.conversation_id,
           requested_at AS since, action ->> '$.method' AS method, description AS text, NULL AS mention, channel, message, sent_at
         FROM notices JOIN confirmations ON confirmations.id = substr(subject, 14)
         WHERE subject LIKE 'confirmation:%'
         UNION ALL
         SELECT 'alert', alerts.id, number, alerts.position, alerts.conversation_id,
           created_at, NULL, alerts.text, NULL, channel, message, sent_at
         FROM notices JOIN alerts ON alerts.id = substr(subject, 7)
         WHERE subject LIKE 'alert:%'
         UNION ALL
         SELECT 'mention', notes.id, number,
           (SELECT position FROM conversations WHERE id = notes.conversation_id), notes.conversation_id, at, NULL, notes.text,
           json_object('names', json(mentions), 'by', notes.by, 'seq', seq), channel, message, sent_at
         FROM notices JOIN notes ON notes.id = substr(subject, 9)
         WHERE subject LIKE 'mention:%'
       ) AS waiting
         JOIN conversations ON conversations.id = waiting.conversation_id
         JOIN events ON events.position = waiting.position
       WHERE waiting.channel = ? AND message = ? AND sent_at IS NULL ORDER BY waiting.position LIMIT ?`,
    ),
    rules: connection.prepare<[channel: string, id: string, most: number], RuleNoticeRow>(
      `${RULE_NOTICES} WHERE subject LIKE 'rule:%' AND ${unsent} ORDER BY started_at, alert_firings.id LIMIT ?`,
    ),
    again: connection.prepare<[due_at: number, channel: string, id: string, most: number]>(
      `INSERT INTO notices (subject, channel, number, due_at)
       SELECT subject, channel, number + 1, ? FROM notices WHERE ${unsent} AND number >= 0 AND number < ? ON CONFLICT DO NOTHING`,
    ),
    sent: connection.prepare<[at: number, channel: string, id: string]>(
      `UPDATE notices SET sent_at = ?, error = NULL WHERE ${unsent}`,
    ),
    failed: connection.prepare<[error: string, channel: string, id: string]>(
      `UPDATE notices SET tries = tries + 1, error = ? WHERE ${unsent}`,
    ),
  };
}
