CREATE TABLE `bookmarks` (
	`conversation_id` text NOT NULL,
	`seq` integer NOT NULL,
	`note` text,
	`by` text,
	`at` integer NOT NULL,
	`set_seq` integer NOT NULL,
	PRIMARY KEY(`conversation_id`, `seq`)
);
--> statement-breakpoint
-- Bookmarks were events of the log: of each step the newest counts, unless it took the bookmark away.
INSERT INTO `bookmarks` (`conversation_id`, `seq`, `note`, `by`, `at`, `set_seq`)
SELECT `conversation_id`, `marked`, `note`, `actor`, coalesce(`occurred_at`, `recorded_at`), max(`seq`)
FROM (
  SELECT `conversation_id`, `seq`, `type`, `actor`, `occurred_at`, `recorded_at`,
    `payload` ->> '$.seq' AS `marked`, `payload` ->> '$.note' AS `note`
  FROM `events`
  WHERE `type` IN ('conversation.bookmarked', 'conversation.unbookmarked') AND `conversation_id` IS NOT NULL
    AND `payload` ->> '$.seq' <= `seq`
    AND `conversation_id` NOT IN (SELECT `conversation_id` FROM `unfinished_forks`)
    AND `position` < coalesce((SELECT `position` FROM `unfinished_forks` WHERE `conversation_id` = ''), 9007199254740991)
)
GROUP BY `conversation_id`, `marked`
HAVING `type` = 'conversation.bookmarked';
