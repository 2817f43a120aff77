# The signals of a terminal reach the whole process group, and this shell must survive
# them to do its work
trap '' INT TERM HUP QUIT
groups=$1
remove_groups() {
	left=
	[ -n "$groups" ] || return 0
	for group in "$groups"/gateway-bench-*; do
		[ -d "/proc/${group##*-}" ] || rmdir "$group"
		[ -d "$group" ] && left=yes
	done
}
remove_groups
pids=' '
while read -r sign pid; do
	case $sign in
		+) pids="$pids$pid " ;;
		-) pids="${pids%% $pid *} ${pids#* $pid }" ;;
	esac
	remove_groups
done
for pid in $pids; do kill -TERM $pid 2>/dev/null; done
for second in 1 2 3 4 5; do
	alive=
	for pid in $pids; do kill -0 $pid 2>/dev/null && alive="$alive $pid"; done
	remove_groups
	[ -z "$alive$left" ] && exit 0
	sleep 1
done
for pid in $alive; do kill -KILL $pid 2>/dev/null && sleep 1; done
remove_groups
